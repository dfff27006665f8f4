import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, codeIsValid, signedIn, strictEmail, url } from '../../fields/fields.ts';

export const emailCodeState = z.enum(['on', 'first_use', 'unverified', 'refused', 'no_address']).meta({
  description:
    'What a request for a sign-in code does, while the project has the method: `on` and `first_use` send one (`first_use` ' +
    'also sets `otp_auth_enabled`), `unverified` and `refused` answer USER_EMAIL_ALREADY_EXISTS, and with `no_address` no ' +
    'address signs in.',
});

/** docs/contract/sign-in-methods.md#magic-link */
export const otpEndpoints = {
  state: endpoint({
    method: 'GET',
    path: '/extensions/email-code',
    access: 'client',
    user: 'required',
    response: z.strictObject({ state: emailCodeState }),
    summary: 'Read whether the signed-in user can sign in with an emailed code',
    tag: 'extension',
    errors: [],
  }),
  sendSignInCode: endpoint({
    method: 'POST',
    path: '/auth/otp/send-sign-in-code',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ email: strictEmail, callback_url: url }),
    response: z.strictObject({ nonce: z.string() }),
    summary: 'Send an email with a sign-in code and link',
    tag: 'Sign-in',
    errors: [
      'USER_EMAIL_ALREADY_EXISTS',
      'SIGN_UP_NOT_ENABLED',
      'EMAIL_ADDRESS_NOT_ALLOWED',
      'REDIRECT_URL_NOT_WHITELISTED',
    ],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/auth/otp/sign-in',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ code }),
    response: signedIn.extend({ is_new_user: z.boolean() }),
    summary: 'Sign in with the code of an email; creates the user if there is none',
    tag: 'Sign-in',
    errors: [
      ...codeErrors,
      'USER_EMAIL_ALREADY_EXISTS',
      'SIGN_UP_NOT_ENABLED',
      'EMAIL_ADDRESS_NOT_ALLOWED',
      'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
      'USER_SUSPENDED',
    ],
  }),
  checkCode: endpoint({
    method: 'POST',
    path: '/auth/otp/sign-in/check-code',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: z.strictObject({ code }),
    response: codeIsValid,
    summary: 'Check a sign-in code without using it',
    tag: 'Sign-in',
    errors: codeErrors,
  }),
};
