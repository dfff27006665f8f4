import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, millis, signedIn } from '../../fields/fields.ts';
import { recoveryCodeCount } from '../../limits.ts';

/**
 * Extensions: single-use codes that replace the authenticator app in a sign-in
 * (docs/contract/decisions.md#account-safety).
 */
export const recoveryCodeEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/extensions/recovery-codes',
    access: 'client',
    user: 'required',
    response: z.strictObject({
      remaining: z.number().int(),
      created_at_millis: millis.nullable().meta({ description: 'Null when there are no recovery codes.' }),
    }),
    summary: 'Read how many recovery codes the signed-in user has left',
    tag: 'extension',
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/extensions/recovery-codes',
    access: 'client',
    user: 'required',
    response: z.strictObject({
      codes: z.array(z.string()).length(recoveryCodeCount).meta({ description: 'Shown once; only hashes are stored.' }),
    }),
    recordsItsChange: true,
    summary: 'Create new recovery codes; earlier ones stop working',
    tag: 'extension',
    errors: ['SECOND_FACTOR_NOT_ENABLED', 'REAUTHENTICATION_REQUIRED'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/extensions/recovery-codes/sign-in',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({
      code: code.meta({ description: 'The attempt code of MULTI_FACTOR_AUTHENTICATION_REQUIRED.' }),
      recovery_code: z.string().max(100).meta({ description: 'Letter case, blanks and dashes are ignored.' }),
    }),
    response: signedIn.extend({ is_new_user: z.boolean(), remaining: z.number().int() }),
    recordsItsChange: true,
    summary: 'Finish a sign-in with a recovery code',
    tag: 'extension',
    errors: [...codeErrors, 'INVALID_RECOVERY_CODE'],
  }),
};
