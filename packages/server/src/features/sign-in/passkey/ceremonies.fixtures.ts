import { type Ceremony, createAuthenticator } from '@tessera/testing/authenticator';
import type { CallOptions } from '@tessera/testing/call';
import { aSecret, aToken } from '@tessera/testing/outcome';
import { expect } from 'vitest';
import * as z from 'zod';
import type { TestServer } from '../../../test/harness.ts';
import { openScene, type Person } from '../scene.fixtures.ts';

export const off = { status: 400, code: 'PASSKEY_AUTHENTICATION_NOT_ENABLED' };
export const failed = { status: 400, code: 'PASSKEY_AUTHENTICATION_FAILED' };
export const notRegistered = { status: 400, code: 'PASSKEY_REGISTRATION_FAILED' };
export const aChallenge = expect.stringMatching(/^[\w-]{43}$/);
export const registered = (credentialId: string) => ({ status: 200, body: { user_handle: credentialId } });
export const signedIn = (user_id: string) => ({
  status: 200,
  body: { access_token: aToken, refresh_token: aSecret, user_id, is_new_user: false },
});

const creation = z.object({
  code: z.string(),
  options_json: z.object({
    challenge: z.string(),
    user: z.object({ id: z.string() }),
    excludeCredentials: z.array(z.unknown()),
  }),
});
const request = z.object({ code: z.string(), options_json: z.object({ challenge: z.string() }) });

export const as = ({ accessToken }: Person) => ({ accessToken });

/** The body of a response, for tests that read it. */
export function bodyOf(outcome: object): unknown {
  return 'body' in outcome ? outcome.body : undefined;
}

/** The code and options of a sign-in, read from a response. */
export function readSignInOptions(outcome: object) {
  const { code, options_json: options } = request.parse(bodyOf(outcome));
  return { code, options };
}

/** A project with passkeys and a user; makes and calls, and asserts nothing. */
export async function openPasskeyScene(server: TestServer) {
  const domains = [{ domain: 'https://app.example', handlerPath: '/' }];
  const scene = await openScene(server, { passkeyEnabled: true, domains });
  const ada = await scene.person({ display_name: 'Ada', primary_email: scene.address() });

  const initiateRegistration = (who: CallOptions, more: CallOptions = {}) =>
    scene.call('POST /auth/passkey/initiate-passkey-registration', { body: {}, ...who, ...more });
  const initiateSignIn = (more: CallOptions = {}) =>
    scene.call('POST /auth/passkey/initiate-passkey-authentication', { body: {}, ...more });
  const register = (code: unknown, credential: unknown, who: CallOptions = as(ada)) =>
    scene.call('POST /auth/passkey/register', { ...who, body: { code, credential } });
  const signIn = (code: unknown, authentication_response: unknown, options: CallOptions = {}) =>
    scene.call('POST /auth/passkey/sign-in', { ...options, body: { code, authentication_response } });

  async function creationOptions(person: Person = ada) {
    const { code, options_json: options } = creation.parse(bodyOf(await initiateRegistration(as(person))));
    return { code, options };
  }

  async function requestOptions() {
    return readSignInOptions(await initiateSignIn());
  }

  /** Registers a passkey for a user. */
  async function passkeyOf(
    person: Person,
    options: Parameters<typeof createAuthenticator>[0] = {},
    ceremony: Ceremony = {},
  ) {
    const authenticator = createAuthenticator(options);
    const begun = await creationOptions(person);
    await register(begun.code, authenticator.register(begun.options, ceremony), as(person));
    return authenticator;
  }

  /** A sign-in with a new challenge. */
  async function signInWith(authenticator: ReturnType<typeof createAuthenticator>, ceremony: Ceremony = {}) {
    const { code, options } = await requestOptions();
    return signIn(code, authenticator.signIn(options, ceremony));
  }

  const calls = { initiateRegistration, initiateSignIn, register, signIn };
  return { scene, ada, ...calls, creationOptions, requestOptions, passkeyOf, signInWith };
}

export type PasskeyScene = Awaited<ReturnType<typeof openPasskeyScene>>;
