import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, signedIn } from '../../fields/fields.ts';

/** docs/contract/sign-in-methods.md#totp */
export const mfaEndpoints = {
  signIn: endpoint({
    method: 'POST',
    path: '/auth/mfa/sign-in',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ code, type: z.literal('totp'), totp: z.string() }),
    response: signedIn.extend({ is_new_user: z.boolean() }),
    summary: 'Finish a sign-in with a second factor',
    tag: 'Sign-in',
    errors: [...codeErrors, 'INVALID_TOTP_CODE', 'USER_SUSPENDED'],
  }),
};
