import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { callback, openScene, type Person, plainPasswords, type Scene, success } from '../scene.fixtures.ts';

let server: TestServer;
const passwords = plainPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());

const weak = { status: 400, code: 'PASSWORD_REQUIREMENTS_NOT_MET' };
const common = 'Password123';
const good = 'correct horse battery';

let scene: Scene;
let email: string;
beforeEach(async () => {
  scene = await openScene(server, { refusesWeakPasswords: true });
  email = scene.address();
});

const signUp = (password: string, address = email) =>
  scene.call('POST /auth/password/sign-up', {
    body: { email: address, password, verification_callback_url: callback },
  });

function account(password: string | null): Promise<Person> {
  return scene.person({ primary_email: email, primary_email_auth_enabled: true, password });
}

/** Every endpoint that sets a password, for a user with the address `email`. */
const ways: Record<string, (password: string) => Promise<{ status: number }>> = {
  'signing up': password => signUp(password),
  'setting a first password': async password => {
    const { accessToken } = await account(null);
    return scene.call('POST /auth/password/set', { accessToken, body: { password } });
  },
  'changing the password': async password => {
    const { accessToken } = await account('the old password');
    const body = { old_password: 'the old password', new_password: password };
    return scene.call('POST /auth/password/update', { accessToken, body });
  },
  'resetting the password': async password => {
    const { id: userId } = await account(null);
    const code = await scene.code('password_reset', { userId, address: email, data: {} });
    return scene.call('POST /auth/password/reset', { body: { code, password } });
  },
  'creating a user at server level': password =>
    scene.call('POST /users', { level: 'server', body: { primary_email: email, password } }),
  'updating a user at server level': async password => {
    const { id } = await account(null);
    return scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: id }, body: { password } });
  },
  'updating the own user at server level': async password => {
    const { accessToken } = await account(null);
    return scene.call('PATCH /users/me', { level: 'server', accessToken, body: { password } });
  },
};

describe.each(Object.entries(ways))('%s', (_, choose) => {
  test('control 6: refuses a common password', async () => {
    expect(await choose(common)).toEqual(weak);
  });

  test('control 7: refuses the project name and the local part of the address', async () => {
    expect(await choose('A-Project-2026')).toEqual(weak);
    email = scene.address();
    expect(await choose(email.split('@')[0] ?? '')).toEqual(weak);
  });

  test('accepts a strong password', async () => {
    expect((await choose(good)).status).toBeLessThan(300);
  });

  test('accepts a common password where the project has switched the check off', async () => {
    await scene.configure({ refusesWeakPasswords: false });
    expect((await choose(common)).status).toBeLessThan(300);
  });
});

test('an imported hash is accepted without the weak-password check', async () => {
  const password_hash = `$2b$10$${'a'.repeat(53)}`;
  expect(
    await scene.call('POST /users', { level: 'server', body: { primary_email: email, password_hash } }),
  ).toMatchObject({ status: 201 });
});

test('a password is checked against the new primary address of the same update', async () => {
  const { id } = await account(null);
  const body = { primary_email: 'grace.hopper@example.com', password: 'grace hopper!' };
  expect(await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: id }, body })).toEqual(weak);
});

test('a short password is refused with PASSWORD_TOO_SHORT, and no refused password is hashed', async () => {
  passwords.work.length = 0;
  expect(await signUp('passwor')).toMatchObject({ code: 'PASSWORD_TOO_SHORT' });
  expect(await signUp(common)).toEqual(weak);
  expect(passwords.work).toEqual([]);
});

test('a reset code is spent by a weak password, as by a short one', async () => {
  const { id: userId } = await account(null);
  const code = await scene.code('password_reset', { userId, address: email, data: {} });
  const reset = (password: string) => scene.call('POST /auth/password/reset', { body: { code, password } });
  expect([await reset(common), await reset(good)]).toEqual([
    weak,
    { status: 409, code: 'VERIFICATION_CODE_ALREADY_USED' },
  ]);
});

test('an existing weak password still signs in', async () => {
  await scene.configure({ refusesWeakPasswords: false });
  await signUp(common);
  await scene.configure({ refusesWeakPasswords: true });
  const signIn = { body: { email, password: common } };
  expect(await scene.call('POST /auth/password/sign-in', signIn)).toMatchObject({ status: 200 });
});

describe('the default of the weak-password check', () => {
  test('accepts weak passwords in development', async () => {
    scene = await openScene(server);
    expect(await signUp(common)).toMatchObject({ status: 200 });
  });

  test('refuses weak passwords in production', async () => {
    const production = await openTestServer({
      passwords,
      environment: {
        TESSERA_MODE: 'production',
        TESSERA_PUBLIC_URL: 'https://auth.example',
        TESSERA_SECRET: 'a secret for tests that has enough characters',
      },
    });
    scene = await openScene(production);
    expect(await signUp(common)).toEqual(weak);
    expect(await signUp(good)).toMatchObject({ status: 200 });
    await scene.configure({ refusesWeakPasswords: false });
    expect(await signUp(common, scene.address())).toMatchObject({ status: 200 });
    await production.close();
  });
});

test('control 10: a password that a user sets or changes sends a notice', async () => {
  const { accessToken } = await account(null);
  await scene.call('POST /auth/password/set', { accessToken, body: { password: good } });
  expect(await scene.takeEmails()).toEqual([{ template: 'password_added', recipient: email, variables: {} }]);
  const body = { old_password: good, new_password: `${good} staple` };
  expect(await scene.call('POST /auth/password/update', { accessToken, body })).toEqual(success);
  expect(await scene.takeEmails()).toEqual([{ template: 'password_changed', recipient: email, variables: {} }]);
  await scene.call('POST /auth/password/update', { accessToken, body });
  expect(await scene.takeEmails()).toEqual([]);
});
