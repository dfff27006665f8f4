import type { CallOptions } from '@tessera/testing/call';
import type { TestServer } from '../../../test/harness.ts';
import { callback, openScene, type Person } from '../scene.fixtures.ts';

export const old = 'the old password';
export const next = 'the next password';
export const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
export const maybe = { status: 200, body: { success: 'maybe, only if user with e-mail exists' } };

/** A project, with an address for an account, and the calls of the reset endpoints. */
export async function openResetScene(server: TestServer) {
  const scene = await openScene(server);
  const email = scene.address();

  const send = (address: unknown = email, body: object = {}, options: CallOptions = {}) =>
    scene.call('POST /auth/password/send-reset-code', {
      ...options,
      body: { email: address, callback_url: callback, ...body },
    });

  return {
    ...scene,
    email,
    send,
    reset: (code: string, password: unknown = next, options: CallOptions = {}) =>
      scene.call('POST /auth/password/reset', { ...options, body: { code, password } }),
    check: (code: string, options: CallOptions = {}) =>
      scene.call('POST /auth/password/reset/check-code', { ...options, body: { code } }),
    signIn: (password: string, address = email) =>
      scene.call('POST /auth/password/sign-in', { body: { email: address, password } }),

    account(more: object = {}): Promise<Person> {
      const fields = { primary_email: email, primary_email_auth_enabled: true, primary_email_verified: true };
      return scene.person({ ...fields, password: old, ...more });
    },

    async sentCode(): Promise<string> {
      await send();
      return scene.emailedCode();
    },
  };
}

export type ResetScene = Awaited<ReturnType<typeof openResetScene>>;
