import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, millis, success, userIdOrMe, uuid } from '../../fields/fields.ts';
import { sessionMaxLifetimeMs, userAccessRecentSignInMs } from '../../limits.ts';

const place = z.strictObject({
  ip: z.string(),
  countryCode: z.string().nullable(),
  regionCode: z.string().nullable(),
  cityName: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  tzIdentifier: z.string().nullable(),
});

const session = z.strictObject({
  id: uuid,
  user_id: uuid,
  created_at: millis,
  is_impersonation: z.boolean(),
  last_used_at: millis.optional(),
  is_current_session: z.boolean(),
  last_used_at_end_user_ip_info: place.optional(),
});

/** docs/contract/tokens-and-sessions.md */
export const sessionEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/auth/sessions',
    access: 'server',
    recentSignInWithinMs: userAccessRecentSignInMs,
    body: z.strictObject({
      user_id: userIdOrMe,
      expires_in_millis: z.number().max(sessionMaxLifetimeMs).optional(),
      is_impersonation: z.boolean().optional(),
    }),
    response: z.strictObject({ refresh_token: z.string(), access_token: z.string() }),
    summary: 'Open a session for a user',
    tag: 'Sessions',
    errors: ['USER_ID_DOES_NOT_EXIST', 'CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_SUSPENDED'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'client',
    query: z.strictObject({ user_id: userIdOrMe }),
    response: listOf(session),
    summary: 'List the sessions of a user, newest first',
    tag: 'Sessions',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: 'client',
    params: z.strictObject({ id: uuid }),
    query: z.strictObject({ user_id: userIdOrMe.optional() }),
    response: success,
    summary: 'End a session',
    tag: 'Sessions',
    errors: ['CANNOT_DELETE_CURRENT_SESSION', 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/current',
    access: 'client',
    endedSession: 'accepted',
    response: success,
    summary: 'Sign out: end the session of the access token',
    tag: 'Sessions',
    errors: ['ACCESS_TOKEN_EXPIRED', 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/auth/sessions/current/refresh',
    access: 'client',
    endedSession: 'accepted',
    ignoresIdempotencyKey: true,
    headers: z.object({ 'x-stack-refresh-token': z.string() }),
    response: z.strictObject({
      access_token: z.string(),
      refresh_token: z.string().optional().meta({
        description: 'Only where the project rotates refresh tokens: takes the place of the one that was sent.',
      }),
    }),
    summary: 'Get a new access token for a refresh token',
    tag: 'Sessions',
    errors: ['REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'],
  }),
};

/** The program and the machine of a request, according to its user agent. */
export const device = z.strictObject({
  browser: z.string().nullable().meta({ description: 'Name and major version; null when it is not known.' }),
  system: z.string().nullable().meta({ description: 'Name and version; null when it is not known.' }),
  type: z.enum(['desktop', 'mobile', 'tablet', 'other']),
});

const deviceSession = z.strictObject({
  id: uuid,
  user_id: uuid,
  created_at_millis: millis,
  expires_at_millis: millis,
  last_used_at_millis: millis.nullable(),
  is_current: z.boolean(),
  is_impersonation: z.boolean(),
  device,
  address: z.string().nullable().meta({
    description: 'Of the last use, as trusted proxies report it; null when it is not known, or when a server called.',
  }),
  country_code: z.string().nullable().meta({
    description: 'Of the last use: two letters that a trusted proxy stated; null when it is not known.',
  }),
  place: place.nullable().meta({ description: 'Of the last use. Taken from headers that any caller may write.' }),
});

const whose = z.strictObject({
  user_id: userIdOrMe.optional().meta({ description: 'Default: the user of the access token. Clients name no other.' }),
});

/** Extensions: the sessions for an account page, beside the documented list. */
export const deviceSessionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/extensions/sessions',
    access: 'client',
    query: whose,
    response: listOf(deviceSession),
    summary: 'List the sessions of a user with their devices, newest first',
    tag: 'extension',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/extensions/sessions/others',
    access: 'client',
    query: whose,
    response: z.strictObject({ success: z.literal(true), ended: z.number().int() }),
    // No limit may delay it, so its repetitions must store nothing.
    ignoresIdempotencyKey: true,
    recordsItsChange: true,
    summary: 'End all sessions of a user but the one of the access token',
    tag: 'extension',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
};
