import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { signedIn } from '../fields.ts';

/** sign-in-methods.md 5, and the extension setting that switches it on (decisions.md) */
export const anonymousEndpoints = {
  signUp: endpoint({
    method: 'POST',
    path: '/auth/anonymous/sign-up',
    access: 'client',
    response: signedIn,
    summary: 'Open an account for somebody who has not said who they are',
    tag: 'Sign-in',
    errors: ['ANONYMOUS_ACCOUNTS_NOT_ENABLED'],
  }),
  readSetting: endpoint({
    method: 'GET',
    path: '/internal/extensions/anonymous-users',
    access: 'admin',
    query: z.strictObject({}),
    response: z.strictObject({ enabled: z.boolean() }),
    summary: 'Read whether anonymous sign-up is on',
    tag: 'extension',
    errors: [],
  }),
  updateSetting: endpoint({
    method: 'PATCH',
    path: '/internal/extensions/anonymous-users',
    access: 'admin',
    query: z.strictObject({}),
    body: z.strictObject({ enabled: z.boolean() }),
    response: z.strictObject({ enabled: z.boolean() }),
    summary: 'Switch anonymous sign-up on or off',
    tag: 'extension',
    errors: [],
  }),
};
