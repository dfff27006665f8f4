import type { Route } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { whileDeletingProject } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { callback, openScene, plainPasswords, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let beside: TestServer;
beforeAll(async () => {
  const options = { passwords: plainPasswords(), environment: { TESSERA_RATE_LIMITS: 'off' } };
  server = await openTestServer(options);
  beside = await openTestServer({ ...options, beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const password = 'correct horse';
const totpSecret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
const channels = z.object({ items: z.array(z.object({ id: z.string() })) });
const cliLogin = z.object({ polling_code: z.string(), login_code: z.string() });

/** Concurrent requests about one account, its sessions, its codes, and an address that it wants. */
async function everything(scene: Scene): Promise<[Route, CallOptions][]> {
  const [email, wanted] = [scene.address(), scene.address()];
  const owner = { primary_email_auth_enabled: true, password };
  const ada = await scene.person({ ...owner, primary_email: email, primary_email_verified: true });
  const eve = await scene.person({ ...owner, primary_email: scene.address() });
  const [second, third] = [await scene.session(ada.id), await scene.session(ada.id)];
  const anonymousUser = await scene.anonymous();
  const [signIn, signUp, reset, verification, attempt] = await Promise.all([
    scene.code('sign_in', { address: email, data: {} }),
    scene.code('sign_in', { address: wanted, data: {} }),
    scene.code('password_reset', { address: email, userId: ada.id, data: {} }),
    scene.code('email_verification', { address: email, userId: ada.id, data: {} }),
    scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } }),
  ]);
  const asServer = { project: scene.project, level: 'server' } as const;
  const listed = await server.call('GET /contact-channels', { ...asServer, query: { user_id: ada.id } });
  const channel = { user_id: ada.id, contact_channel_id: channels.parse(listed.json).items[0]?.id ?? '' };
  const cli = cliLogin.parse((await server.call('POST /auth/cli', { project: scene.project })).json);
  const as = { accessToken: ada.accessToken };
  const byUser = (id: string, body: object): CallOptions => ({ level: 'server', params: { user_id: id }, body });
  const newChannel = { type: 'email', value: wanted, used_for_auth: true, is_primary: true };
  const newAccount = { email: wanted, password, verification_callback_url: callback };
  return [
    ['POST /auth/password/sign-in', { body: { email, password } }],
    ['POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken }],
    ['POST /auth/sessions/current/refresh', { refreshToken: second.refreshToken }],
    ['DELETE /auth/sessions/current', as],
    ['DELETE /auth/sessions/current', { accessToken: third.accessToken }],
    ['POST /auth/sessions', { level: 'server', body: { user_id: ada.id } }],
    ['GET /auth/sessions', { ...as, query: { user_id: 'me' } }],
    ['PATCH /users/{user_id}', byUser(ada.id, { password: 'another password' })],
    ['PATCH /users/{user_id}', byUser(ada.id, { primary_email: wanted, primary_email_auth_enabled: true })],
    ['PATCH /users/{user_id}', byUser(eve.id, { primary_email: wanted, primary_email_auth_enabled: true })],
    ['PATCH /users/me', { ...as, body: { totp_secret_base64: totpSecret } }],
    ['POST /auth/password/update', { ...as, body: { old_password: password, new_password: 'a third password' } }],
    ['POST /auth/password/set', { accessToken: anonymousUser.accessToken, body: { password } }],
    ['POST /auth/password/reset', { body: { code: reset, password: 'a fourth password' } }],
    ['POST /auth/password/send-reset-code', { body: { email, callback_url: callback } }],
    ['POST /auth/otp/send-sign-in-code', { body: { email, callback_url: callback } }],
    ['POST /auth/otp/sign-in', { body: { code: signIn } }],
    ['POST /auth/otp/sign-in', { body: { code: signUp } }],
    ['POST /auth/otp/sign-in', { body: { code: signUp }, accessToken: anonymousUser.accessToken }],
    ['POST /auth/mfa/sign-in', { body: { code: attempt, type: 'totp', totp: '000000' } }],
    ['POST /auth/password/sign-up', { body: newAccount }],
    ['POST /auth/password/sign-up', { body: newAccount, accessToken: anonymousUser.accessToken }],
    ['POST /contact-channels', { level: 'server', body: { ...newChannel, user_id: ada.id } }],
    ['POST /contact-channels', { level: 'server', body: { ...newChannel, user_id: eve.id } }],
    [
      'PATCH /contact-channels/{user_id}/{contact_channel_id}',
      { ...asServer, params: channel, body: { is_primary: true } },
    ],
    ['DELETE /contact-channels/{user_id}/{contact_channel_id}', { ...asServer, params: channel }],
    ['POST /contact-channels/verify', { body: { code: verification } }],
    ['POST /contact-channels/send-verification-code', { ...as, body: { email, callback_url: callback } }],
    ['POST /auth/cli/complete', { body: { login_code: cli.login_code, refresh_token: second.refreshToken } }],
    ['POST /auth/cli/poll', { body: { polling_code: cli.polling_code } }],
    ['POST /auth/passkey/initiate-passkey-registration', as],
    ['DELETE /users/me', as],
  ];
}

/** The list in another order for each round. */
function reorder<T>(list: readonly T[], round: number): T[] {
  return list.map((_, index) => list[(index * (2 * round + 1) + round) % list.length] as T);
}

test.each([true, false])(
  'concurrent requests about one account never answer 500 (the account is deleted meanwhile: %s)',
  async deletes => {
    const failures: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      const rotatesRefreshTokens = round % 2 === 0;
      const scene = await openScene(server, {
        rotatesRefreshTokens,
        anonymousUsersEnabled: true,
        passkeyEnabled: true,
        clientUserDeletionEnabled: true,
      });
      const all = (await everything(scene)).filter(([route]) => deletes || !route.startsWith('DELETE /users'));
      await Promise.all(
        reorder([...all, ...all], round).map(async ([route, options], index) => {
          const { status, text } = await (index % 2 === 0 ? server : beside).call(route, {
            project: scene.project,
            ...options,
          });
          if (status >= 500) failures.push([route, status, text]);
        }),
      );
    }
    expect(failures).toEqual([]);
  },
);

describe('a request that waits for a project answers 404 when the project is deleted', () => {
  const email = 'ada@example.com';
  test.each<[Route, CallOptions]>([
    ['POST /auth/password/sign-up', { body: { email, password, verification_callback_url: callback } }],
    ['POST /auth/anonymous/sign-up', {}],
    ['POST /auth/otp/send-sign-in-code', { body: { email, callback_url: callback } }],
    ['POST /auth/password/send-reset-code', { body: { email, callback_url: callback } }],
    ['POST /auth/cli', {}],
    ['POST /auth/passkey/initiate-passkey-authentication', {}],
    ['POST /users', { level: 'server', body: {} }],
    ['POST /teams', { level: 'server', body: { display_name: 'Readers' } }],
  ])('%s', async (route, options) => {
    const scene = await openScene(server, { anonymousUsersEnabled: true, passkeyEnabled: true });
    const details = { project_id: scene.project.id };
    const answer = await whileDeletingProject(server, scene.project.id, () => scene.call(route, options));
    expect(answer).toEqual({ status: 404, code: 'PROJECT_NOT_FOUND', details });
  });
});
