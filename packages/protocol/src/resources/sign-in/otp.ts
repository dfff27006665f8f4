import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, codeIsValid, signedIn, strictEmail, url } from '../../fields/fields.ts';

/** docs/contract/sign-in-methods.md#magic-link */
export const otpEndpoints = {
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
