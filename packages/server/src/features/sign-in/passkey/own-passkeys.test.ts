import { createAuthenticator } from '@tessera/testing/authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, type Person, plainPasswords, refused, type Scene } from '../scene.fixtures.ts';
import { as, failed, off, openPasskeyScene, type PasskeyScene, signedIn } from './ceremonies.fixtures.ts';

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

const success = { status: 200, body: { success: true } };
const last = { status: 409, code: 'LAST_SIGN_IN_METHOD' };
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const bitwarden = 'd548826e-79b4-db40-a3d8-11116f7e8349';
const list = (person: Person) => scene.call('GET /extensions/passkeys', as(person));
const rename = (person: Person, passkey_id: string, name: unknown) =>
  scene.call('PATCH /extensions/passkeys/{passkey_id}', { ...as(person), params: { passkey_id }, body: { name } });
const remove = (person: Person, passkey_id: string) =>
  scene.call('DELETE /extensions/passkeys/{passkey_id}', { ...as(person), params: { passkey_id } });

describe('GET /extensions/passkeys', () => {
  test('lists the passkeys of the caller with their provider, device and use', async () => {
    const registeredAt = server.clock.now();
    const known = createAuthenticator({ aaguid: bitwarden });
    const { code, options } = await passkeys.creationOptions(ada);
    await passkeys.register(code, known.register(options), { ...as(ada), headers: { 'user-agent': firefox } });
    server.clock.advance(1000);
    const unknown = await passkeys.passkeyOf(ada);
    await passkeys.passkeyOf(await scene.person());
    await passkeys.signInWith(known);
    const common = { name: null, is_synced: false };
    expect(await list(ada)).toEqual({
      status: 200,
      body: {
        items: [
          {
            ...common,
            id: known.credentialId,
            provider_name: 'Bitwarden',
            created_at_millis: registeredAt,
            last_used_at_millis: server.clock.now(),
            device: { browser: 'Firefox 140', system: 'Windows 10', type: 'desktop' },
          },
          {
            ...common,
            id: unknown.credentialId,
            provider_name: null,
            created_at_millis: server.clock.now(),
            last_used_at_millis: null,
            device: null,
          },
        ],
        is_paginated: false,
        user_handle: Buffer.from(ada.id).toString('base64url'),
        user_name: 'Ada',
      },
    });
  });

  test('is empty for a user without passkeys, and refused without a user', async () => {
    expect(await list(ada)).toMatchObject({ body: { items: [] } });
    expect(await scene.call('GET /extensions/passkeys')).toEqual(invalid);
  });
});

describe('POST /extensions/passkeys/check', () => {
  const check = (passkey_id: string) => scene.call('POST /extensions/passkeys/check', { body: { passkey_id } });

  test('tells a registered passkey from one that was removed', async () => {
    const [{ credentialId }] = [await passkeys.passkeyOf(ada), await passkeys.passkeyOf(ada)];
    expect(await check(credentialId)).toEqual({ status: 200, body: { is_known: true } });
    await remove(ada, credentialId);
    expect(await check(credentialId)).toEqual({ status: 200, body: { is_known: false } });
  });

  test('is refused while passkeys are off', async () => {
    await scene.configure({ passkeyEnabled: false });
    expect(await check('a-passkey')).toEqual(off);
  });
});

describe('PATCH /extensions/passkeys/{passkey_id}', () => {
  test('names a passkey, and removes the name', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    expect(await rename(ada, credentialId, '  Work phone ')).toEqual(success);
    expect(await list(ada)).toMatchObject({ body: { items: [{ name: 'Work phone' }] } });
    expect(await rename(ada, credentialId, null)).toEqual(success);
    expect(await list(ada)).toMatchObject({ body: { items: [{ name: null }] } });
  });

  test.each(['', '   ', 'a'.repeat(101)])('the name %j is refused', async name => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    expect(await rename(ada, credentialId, name)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('control 92: a passkey of another user is not found', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    expect(await rename(await scene.person(), credentialId, 'Mine')).toEqual(refused(404));
    expect(await list(ada)).toMatchObject({ body: { items: [{ name: null }] } });
  });

  test('control 34: an impersonation session names none', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    expect(await rename({ id: ada.id, ...impersonation }, credentialId, 'Mine')).toEqual(refused(403));
    expect(await list(ada)).toMatchObject({ body: { items: [{ name: null }] } });
  });
});

describe('DELETE /extensions/passkeys/{passkey_id}', () => {
  test('removes one passkey, sends a notice, and leaves the others', async () => {
    const [first, second] = [await passkeys.passkeyOf(ada), await passkeys.passkeyOf(ada)];
    await scene.takeEmails();
    expect(await remove(ada, first.credentialId)).toEqual(success);
    expect(await scene.takeEmails()).toMatchObject([{ template: 'passkey_removed' }]);
    expect(await passkeys.signInWith(first)).toEqual(failed);
    expect(await passkeys.signInWith(second)).toEqual(signedIn(ada.id));
    expect(await scene.userById(ada.id)).toMatchObject({ passkey_auth_enabled: true });
  });

  test('the last sign-in method is refused, and stays', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    expect(await remove(ada, credentialId)).toEqual(last);
    expect(await list(ada)).toMatchObject({ body: { items: [{ id: credentialId }] } });
  });

  test('the last passkey of a user with a password without a sign-in address is refused', async () => {
    const eve = await scene.person({ primary_email: scene.address(), password: 'quiet lantern orbit' });
    const { credentialId } = await passkeys.passkeyOf(eve);
    expect(await remove(eve, credentialId)).toEqual(last);
  });

  test('of two concurrent removals of the last two passkeys one is refused', async () => {
    const made = [await passkeys.passkeyOf(ada), await passkeys.passkeyOf(ada)];
    const outcomes = await Promise.all(made.map(({ credentialId }) => remove(ada, credentialId)));
    expect(outcomes).toEqual(expect.arrayContaining([success, last]));
  });

  test('the last passkey of a user with a password and a sign-in address is removed', async () => {
    const address = { primary_email: scene.address(), primary_email_auth_enabled: true };
    const eve = await scene.person({ ...address, password: 'quiet lantern orbit' });
    const { credentialId } = await passkeys.passkeyOf(eve);
    expect(await remove(eve, credentialId)).toEqual(success);
    expect(await scene.userById(eve.id)).toMatchObject({ passkey_auth_enabled: false });
  });

  test('control 92: a passkey of another user is not found', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    expect(await remove(await scene.person(), credentialId)).toEqual(refused(404));
    expect(await list(ada)).toMatchObject({ body: { items: [{ id: credentialId }] } });
  });
});
