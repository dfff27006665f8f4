import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { endedSessionCursorMaxLength, endedSessionStreamMaxMs } from '../../limits.ts';

/** The `typ` of the signed feed. Access tokens have none, so neither is accepted in the place of the other. */
export const endedSessionsType = 'ended-sessions+jwt';

const signedFeed = z.string().meta({
  description:
    'A JWS (ES256, a key of the project, `typ` `ended-sessions+jwt`) of `iss`, `aud`, `iat`, `cursor`, `is_complete`, `keep_millis` and `session_ids`.',
});

/** Extensions: the feed of ended sessions (docs/contract/decisions.md#revocation-feed). */
export const endedSessionEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/extensions/ended-sessions',
    access: 'server',
    query: z.strictObject({
      after: z
        .string()
        .max(endedSessionCursorMaxLength)
        .regex(/^\d{1,20}:\d{1,20}:[\d,]*$/, 'must be a cursor of this feed')
        .optional()
        .meta({ description: 'Cursor of an earlier response: only sessions that ended since. An unknown one: all.' }),
    }),
    response: z.strictObject({ feed: signedFeed }),
    cacheControl: 'private, no-cache',
    summary: 'Read which sessions have ended while their access tokens may be valid; with ETag',
    tag: 'extension',
    errors: [],
  }),
  follow: endpoint({
    method: 'GET',
    path: '/extensions/ended-sessions/stream',
    access: 'server',
    query: z.strictObject({
      for_millis: z.number().int().min(0).max(endedSessionStreamMaxMs).optional().meta({
        description: 'The stream ends after this time, and the reader connects again.',
        default: endedSessionStreamMaxMs,
      }),
    }),
    response: z.strictObject({ feed: signedFeed }).nullable(),
    produces: 'event-stream',
    cacheControl: 'no-store, no-transform',
    summary: 'Follow the ended sessions as server-sent events; a comment says that none has ended',
    tag: 'extension',
    errors: [],
  }),
};
