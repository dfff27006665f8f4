import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { success } from '../../fields/fields.ts';
import { cliLoginMaxLifetimeMs, cliRefreshTokenMaxLength } from '../../limits.ts';

const pollAnswer = z.union([
  z.strictObject({ status: z.enum(['waiting', 'used', 'expired']) }),
  z.strictObject({ status: z.literal('success'), refresh_token: z.string() }),
]);

/** docs/contract/sign-in-methods.md#cli-login */
export const cliEndpoints = {
  start: endpoint({
    method: 'POST',
    path: '/auth/cli',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ expires_in_millis: z.number().max(cliLoginMaxLifetimeMs).optional() }).optional(),
    response: z.strictObject({ polling_code: z.string(), login_code: z.string(), expires_at: z.iso.datetime() }),
    summary: 'Start the login of a command-line program',
    tag: 'Sign-in',
    errors: [],
  }),
  poll: endpoint({
    method: 'POST',
    path: '/auth/cli/poll',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: z.strictObject({ polling_code: z.string() }),
    response: pollAnswer,
    summary: 'Ask whether the login was completed; the refresh token is returned once, with status 201',
    tag: 'Sign-in',
    errors: ['INVALID_POLLING_CODE'],
  }),
  complete: endpoint({
    method: 'POST',
    path: '/auth/cli/complete',
    access: 'client',
    body: z.strictObject({ login_code: z.string(), refresh_token: z.string().max(cliRefreshTokenMaxLength) }),
    response: success,
    summary: 'Complete the login with a session of a browser',
    tag: 'Sign-in',
    errors: ['USER_AUTHENTICATION_REQUIRED'],
  }),
  decline: endpoint({
    method: 'POST',
    path: '/extensions/cli-logins/decline',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ login_code: z.string() }),
    response: success,
    summary: 'Decline the login, which then counts as expired',
    tag: 'extension',
    errors: [],
  }),
};
