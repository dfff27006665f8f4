import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { code, codeErrors, credentialErrors, json, signedIn } from '../../fields/fields.ts';

/**
 * A placeholder for the relying party's id; the SDK replaces it with the host name of its page
 * (docs/contract/sign-in-methods.md#passkey-registration-start).
 */
export const passkeyRpIdPlaceholder = 'THIS_VALUE_WILL_BE_REPLACED.example.com';

/** WebAuthn, `PublicKeyCredentialCreationOptionsJSON`. */
const creationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.literal(passkeyRpIdPlaceholder), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
  ),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('preferred'),
  }),
  extensions: z.strictObject({ credProps: z.literal(true) }),
});

/** WebAuthn, `PublicKeyCredentialRequestOptionsJSON`. */
const requestOptions = z.strictObject({
  rpId: z.literal(passkeyRpIdPlaceholder),
  challenge: z.string(),
  allowCredentials: z.array(z.never()),
  timeout: z.int(),
  userVerification: z.literal('preferred'),
});

/** The response of an authenticator. The handler checks its members after the code, so here it only has to be present. */
export const authenticatorAnswer = json
  .refine(value => value !== null, 'cannot be null')
  .meta({ description: 'The answer of the authenticator, in the JSON form of WebAuthn.' });

/** docs/contract/sign-in-methods.md#passkeys */
export const passkeyEndpoints = {
  initiateRegistration: endpoint({
    method: 'POST',
    path: '/auth/passkey/initiate-passkey-registration',
    access: 'client',
    user: 'required',
    response: z.strictObject({ code, options_json: creationOptions }),
    summary: 'Start the registration of a passkey for the signed-in user',
    tag: 'Sign-in',
    errors: ['PASSKEY_AUTHENTICATION_NOT_ENABLED', ...credentialErrors],
  }),
  register: endpoint({
    method: 'POST',
    path: '/auth/passkey/register',
    access: 'client',
    user: 'required',
    body: z.strictObject({ code, credential: authenticatorAnswer }),
    response: z.strictObject({ user_handle: z.string() }),
    summary: 'Register a passkey; returns its credential id',
    tag: 'Sign-in',
    errors: [
      ...codeErrors,
      'PASSKEY_AUTHENTICATION_NOT_ENABLED',
      ...credentialErrors,
      'PASSKEY_AUTHENTICATION_FAILED',
      'PASSKEY_REGISTRATION_FAILED',
    ],
  }),
  initiateAuthentication: endpoint({
    method: 'POST',
    path: '/auth/passkey/initiate-passkey-authentication',
    access: 'client',
    endedSession: 'ignored',
    response: z.strictObject({ code, options_json: requestOptions }),
    summary: 'Start a sign-in with a passkey',
    tag: 'Sign-in',
    errors: ['PASSKEY_AUTHENTICATION_NOT_ENABLED'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/auth/passkey/sign-in',
    access: 'client',
    endedSession: 'ignored',
    body: z.strictObject({ code, authentication_response: authenticatorAnswer }),
    response: signedIn.extend({ is_new_user: z.literal(false) }),
    summary: 'Sign in with a passkey',
    tag: 'Sign-in',
    errors: [
      ...codeErrors,
      'PASSKEY_AUTHENTICATION_NOT_ENABLED',
      'PASSKEY_AUTHENTICATION_FAILED',
      'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
      'USER_SUSPENDED',
    ],
  }),
};
