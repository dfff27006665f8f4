import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, codeNonce, password, success } from '../../fields/fields.ts';
import { authenticatorAnswer } from './passkeys.ts';

const way = z.strictObject({
  method: z.enum(['password', 'code', 'passkey']),
  needs_totp: z.boolean().meta({ description: 'Whether a TOTP code or a recovery code is needed too.' }),
});

const totp = z.string().max(100).optional().meta({
  description: 'Required with a password or a code when two-step verification is on, unless `recovery_code` is sent.',
});

const recoveryCode = z.string().max(100).optional().meta({
  description: 'Replaces the TOTP code, and is used up. Letter case, blanks and dashes are ignored.',
});

const passkey = z.strictObject({ code, authentication_response: authenticatorAnswer });

const proof = z
  .strictObject({
    password: password.optional(),
    code: code.optional(),
    passkey: passkey.optional(),
    totp,
    recovery_code: recoveryCode,
  })
  .refine(
    given => [given.password, given.code, given.passkey].filter(one => one !== undefined).length === 1,
    'must have exactly one of password, code and passkey',
  )
  .refine(
    given => given.totp === undefined || given.recovery_code === undefined,
    'must not have both totp and recovery_code',
  );

/** Extensions: a signed-in user proves the identity again, in the same session (docs/contract/decisions.md#account-safety). */
export const reauthenticationEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/extensions/reauthentication',
    access: 'client',
    user: 'required',
    response: z.strictObject({
      methods: z.array(way).meta({ description: 'The ways to prove the identity. Empty: sign out and in again.' }),
      is_required: z.boolean().meta({
        description: 'Whether sensitive changes in this session are refused with REAUTHENTICATION_REQUIRED now.',
      }),
    }),
    summary: 'Read how the signed-in user can reauthenticate',
    tag: 'extension',
    errors: [],
  }),
  sendCode: endpoint({
    method: 'POST',
    path: '/extensions/reauthentication/send-code',
    access: 'client',
    user: 'required',
    response: z.strictObject({ nonce: codeNonce }),
    summary: 'Email a code for a reauthentication to the primary address',
    tag: 'extension',
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
  prove: endpoint({
    method: 'POST',
    path: '/extensions/reauthentication',
    access: 'client',
    user: 'required',
    body: proof,
    response: success,
    recordsItsChange: true,
    summary: 'Reauthenticate: the session counts as a new sign-in for sensitive changes',
    tag: 'extension',
    errors: [
      ...codeErrors,
      'PASSWORD_CONFIRMATION_MISMATCH',
      'PASSKEY_AUTHENTICATION_FAILED',
      'PASSKEY_AUTHENTICATION_NOT_ENABLED',
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      'USER_DOES_NOT_HAVE_PASSWORD',
      'INVALID_TOTP_CODE',
      'INVALID_RECOVERY_CODE',
      'ACCESS_TOKEN_EXPIRED',
    ],
  }),
};
