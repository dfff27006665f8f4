import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { type Person, plainPasswords, refused, type Scene } from '../scene.fixtures.ts';
import { as, failed, openPasskeyScene, type PasskeyScene, signedIn } from './ceremonies.fixtures.ts';

let server: TestServer;
let passkeys: PasskeyScene;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  passkeys = await openPasskeyScene(server);
  ({ scene, ada } = passkeys);
});

describe('switching passkeys off by an update', () => {
  test.each(['client', 'server', 'admin'] as const)('an update at level %s deletes all passkeys', async level => {
    const authenticators = [await passkeys.passkeyOf(ada), await passkeys.passkeyOf(ada)];
    await scene.takeEmails();
    const body = { passkey_auth_enabled: false };
    expect(await scene.call('PATCH /users/me', { ...as(ada), level, body })).toMatchObject({
      body: { passkey_auth_enabled: false },
    });
    for (const authenticator of authenticators) expect(await passkeys.signInWith(authenticator)).toEqual(failed);
    expect(await scene.takeEmails()).toMatchObject([{ template: 'passkeys_removed' }]);
    expect((await passkeys.creationOptions()).options.excludeCredentials).toEqual([]);
  });

  test('a user without passkeys gets no notice', async () => {
    const body = { passkey_auth_enabled: false };
    expect(await scene.call('PATCH /users/me', { ...as(ada), body })).toMatchObject({ status: 200 });
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('an update cannot switch passkeys on', async () => {
    const body = { passkey_auth_enabled: true };
    expect(await scene.call('PATCH /users/me', { ...as(ada), body })).toEqual(refused(400));
  });

  test('passkeys are deleted with their user', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: ada.id } });
    expect(await server.deps.db.query(sql`select credential_id from passkeys where user_id = ${ada.id}`)).toEqual([]);
    expect(await passkeys.signInWith(authenticator)).toEqual(failed);
  });

  test('a concurrent sign-in with the passkey is refused, or its session ends', async () => {
    for (let round = 0; round < 5; round++) {
      const authenticator = await passkeys.passkeyOf(ada);
      const { code, options } = await passkeys.requestOptions();
      const body = { passkey_auth_enabled: false };
      const [answer] = await Promise.all([
        passkeys.signIn(code, authenticator.signIn(options)),
        scene.call('PATCH /users/me', { ...as(ada), body }),
      ]);
      expect([signedIn(ada.id), failed]).toContainEqual(answer);
    }
  });
});
