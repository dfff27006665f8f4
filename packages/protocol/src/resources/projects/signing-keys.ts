import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { noQuery } from '../../fields/fields.ts';
import { ownerRecentSignInMs } from '../../limits.ts';

/** An extension (control 31; docs/contract/decisions.md#controls-and-the-contract) */
export const signingKeyEndpoints = {
  rotate: endpoint({
    method: 'POST',
    path: '/internal/extensions/signing-keys/rotate',
    access: 'admin',
    recentSignInWithinMs: ownerRecentSignInMs,
    query: noQuery,
    response: z.strictObject({
      current_kid: z.string().meta({ description: 'Of the key that signs access tokens from now on.' }),
      published_kids: z
        .array(z.string())
        .meta({ description: 'Current and next, and the one before, whose tokens are good until they expire.' }),
    }),
    recordsItsChange: true,
    summary: 'Sign access tokens with the next key',
    tag: 'extension',
    errors: [],
  }),
};
