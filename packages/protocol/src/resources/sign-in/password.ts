import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, codeIsValid, email, password, signedIn, strictEmail, success, url } from '../../fields.ts';
import { verificationNonce } from '../accounts/email-verification.ts';

/** docs/contract/sign-in-methods.md#password */
export const passwordEndpoints = {
  signUp: endpoint({
    method: 'POST',
    path: '/auth/password/sign-up',
    access: 'client',
    body: z.strictObject({ email: strictEmail, password, verification_callback_url: url }),
    response: signedIn.extend({
      /** An extension (docs/contract/decisions.md#verification-by-code). */
      email_verification_nonce: verificationNonce.optional(),
    }),
    summary: 'Sign up with email and password',
    tag: 'Sign-in',
    errors: [
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      'REDIRECT_URL_NOT_WHITELISTED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_REQUIREMENTS_NOT_MET',
      'SIGN_UP_NOT_ENABLED',
      'USER_EMAIL_ALREADY_EXISTS',
    ],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/auth/password/sign-in',
    access: 'client',
    body: z.strictObject({ email, password }),
    response: signedIn,
    summary: 'Sign in with email and password',
    tag: 'Sign-in',
    errors: ['PASSWORD_AUTHENTICATION_NOT_ENABLED', 'EMAIL_PASSWORD_MISMATCH', 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
  }),
  set: endpoint({
    method: 'POST',
    path: '/auth/password/set',
    access: 'client',
    user: 'required',
    body: z.strictObject({ password }),
    response: success,
    summary: 'Set the first password of the signed-in user',
    tag: 'Sign-in',
    errors: ['PASSWORD_AUTHENTICATION_NOT_ENABLED', 'PASSWORD_TOO_SHORT', 'PASSWORD_REQUIREMENTS_NOT_MET'],
  }),
  update: endpoint({
    method: 'POST',
    path: '/auth/password/update',
    access: 'client',
    user: 'required',
    headers: z.object({ 'x-stack-refresh-token': z.string().optional() }),
    body: z.strictObject({ old_password: password, new_password: password }),
    response: success,
    summary: 'Change the password of the signed-in user; all other sessions end',
    tag: 'Sign-in',
    errors: [
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_REQUIREMENTS_NOT_MET',
      'USER_DOES_NOT_HAVE_PASSWORD',
      'PASSWORD_CONFIRMATION_MISMATCH',
    ],
  }),
  sendResetCode: endpoint({
    method: 'POST',
    path: '/auth/password/send-reset-code',
    access: 'client',
    body: z.strictObject({ email, callback_url: url }),
    response: z.strictObject({ success: z.literal('maybe, only if user with e-mail exists') }),
    summary: 'Send an email with a link to reset the password',
    tag: 'Sign-in',
    errors: ['PASSWORD_AUTHENTICATION_NOT_ENABLED', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
  reset: endpoint({
    method: 'POST',
    path: '/auth/password/reset',
    access: 'client',
    body: z.strictObject({ code, password }),
    response: success,
    summary: 'Reset the password with the code of an email; all sessions end',
    tag: 'Sign-in',
    errors: [
      ...codeErrors,
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_REQUIREMENTS_NOT_MET',
    ],
  }),
  checkResetCode: endpoint({
    method: 'POST',
    path: '/auth/password/reset/check-code',
    access: 'client',
    body: z.strictObject({ code }),
    response: codeIsValid,
    summary: 'Check a reset code without using it',
    tag: 'Sign-in',
    errors: codeErrors,
  }),
};
