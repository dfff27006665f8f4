import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { passkeyChallengeLifetimeMs, passkeysMax, passkeyTransportsMax } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import { aSecret } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { allAtOnce, whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import {
  expired,
  invalid,
  noCode,
  notFound,
  type Person,
  plainPasswords,
  type Scene,
  used,
} from '../scene.fixtures.ts';
import {
  aChallenge,
  as,
  failed,
  notRegistered,
  off,
  openPasskeyScene,
  type PasskeyScene,
  registered,
  signedIn,
} from './ceremonies.fixtures.ts';

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

describe('POST /auth/passkey/initiate-passkey-registration', () => {
  test.each(['client', 'server', 'admin'] as const)('returns code and options at level %s', async level => {
    expect(await passkeys.initiateRegistration({ ...as(ada), level })).toEqual({
      status: 200,
      body: {
        code: aSecret,
        options_json: {
          challenge: aChallenge,
          rp: { id: 'THIS_VALUE_WILL_BE_REPLACED.example.com', name: 'A project' },
          user: { id: Buffer.from(ada.id).toString('base64url'), name: 'Ada', displayName: 'Ada' },
          pubKeyCredParams: [
            { alg: -8, type: 'public-key' },
            { alg: -7, type: 'public-key' },
            { alg: -257, type: 'public-key' },
          ],
          timeout: 60_000,
          attestation: 'none',
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
          extensions: { credProps: true },
        },
      },
    });
  });

  test.each([
    [{ display_name: 'Ada', primary_email: 'ada@example.com' }, 'Ada'],
    [{ display_name: null, primary_email: 'ada@example.com' }, 'ada@example.com'],
    [{}, 'My account'],
  ])('the options of a user with %j have the name %s', async (fields, name) => {
    const person = await scene.person(fields);
    expect(await passkeys.initiateRegistration(as(person))).toMatchObject({
      body: { options_json: { user: { name, displayName: name } } },
    });
  });

  test('control 66: the options list the passkeys of the user, so that no authenticator registers twice', async () => {
    const first = await passkeys.passkeyOf(ada);
    const second = await passkeys.passkeyOf(ada);
    await passkeys.passkeyOf(await scene.person());
    const { options } = await passkeys.creationOptions();
    expect(options.excludeCredentials).toHaveLength(2);
    for (const { credentialId: id } of [first, second]) {
      expect(options.excludeCredentials).toContainEqual({ id, type: 'public-key', transports: ['internal', 'hybrid'] });
    }
  });

  test('control 65: every challenge is different', async () => {
    const all = [
      await passkeys.creationOptions(),
      await passkeys.creationOptions(),
      await passkeys.requestOptions(),
      await passkeys.requestOptions(),
    ];
    expect(new Set(all.map(({ options }) => options.challenge)).size).toBe(4);
    expect(new Set(all.map(({ code }) => code)).size).toBe(4);
  });

  test('a request without a user is refused, with any body', async () => {
    const details = { message: expect.stringContaining('auth.user must be defined') };
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(await passkeys.initiateRegistration({ level })).toEqual({ ...invalid, details });
    }
    for (const body of [undefined, null, [], { more: 1 }]) {
      expect(await passkeys.initiateRegistration(as(ada), { body })).toMatchObject({ status: 200 });
    }
  });

  test('is refused while passkeys are off', async () => {
    await scene.configure({ passkeyEnabled: false });
    expect(await passkeys.initiateRegistration(as(ada))).toEqual(off);
  });

  test('a user who is deleted during the request does not cause a 500', async () => {
    const answer = await whileDeleting(server, ada.id, () => passkeys.initiateRegistration(as(ada)));
    expect(answer).toMatchObject({ status: 400 });
  });
});

describe('POST /auth/passkey/register', () => {
  test.each(['client', 'server', 'admin'] as const)('registers a passkey at level %s', async level => {
    const { code, options } = await passkeys.creationOptions();
    const authenticator = createAuthenticator();
    expect(await passkeys.register(code, authenticator.register(options), { ...as(ada), level })).toEqual(
      registered(authenticator.credentialId),
    );
    expect(await scene.userById(ada.id)).toMatchObject({ passkey_auth_enabled: true });
    expect(await passkeys.signInWith(authenticator)).toEqual(signedIn(ada.id));
  });

  test.each([-7, -8, -257] as const)('accepts keys of algorithm %i', async algorithm => {
    const authenticator = await passkeys.passkeyOf(ada, { algorithm });
    expect(await passkeys.signInWith(authenticator)).toEqual(signedIn(ada.id));
  });

  test('a user can register several passkeys, and each signs in', async () => {
    const authenticators = [
      await passkeys.passkeyOf(ada),
      await passkeys.passkeyOf(ada),
      await passkeys.passkeyOf(ada),
    ];
    for (const authenticator of authenticators)
      expect(await passkeys.signInWith(authenticator)).toEqual(signedIn(ada.id));
  });

  describe('of a user with 100 passkeys', () => {
    const full = { status: 400, says: 'a sentence' };
    const registerNew = ({ code, options }: Awaited<ReturnType<typeof passkeys.creationOptions>>) =>
      passkeys.register(code, createAuthenticator().register(options));

    /** Copies the one passkey of the user. */
    async function fillUpTo(count: number): Promise<void> {
      await server.deps.db.query(sql`
        insert into passkeys (project_id, credential_id, user_id, public_key, counter, transports, device_type,
          is_backed_up, is_user_verified, created_at_millis)
        select project_id, credential_id || place, user_id, public_key, counter, transports, device_type,
          is_backed_up, is_user_verified, created_at_millis
        from passkeys, generate_series(2, ${count}::int) place where user_id = ${ada.id}
      `);
    }

    test('is refused, also one that began before', async () => {
      await passkeys.passkeyOf(ada);
      const begun = await passkeys.creationOptions();
      await fillUpTo(passkeysMax);
      expect(await registerNew(begun)).toEqual(full);
      expect(await passkeys.initiateRegistration(as(ada))).toEqual(full);
    });

    test('is refused when the last place is taken at the same moment', async () => {
      await passkeys.passkeyOf(ada);
      const [first, second] = [await passkeys.creationOptions(), await passkeys.creationOptions()];
      await fillUpTo(passkeysMax - 1);
      const answers = await allAtOnce(server, ada.id, [() => registerNew(first), () => registerNew(second)]);
      expect(answers).toContainEqual(full);
    });
  });

  test('control 104: counts as a write of the user, once more for each 32 KB that a removal sends to webhooks', async () => {
    const [key, body] = [`clientWritesPerUser:${scene.project.id}:${ada.id}`, { client_metadata: 'x'.repeat(100_000) }];
    await scene.call('PATCH /users/me', { ...as(ada), body });
    await server.deps.db.query(sql`delete from rate_limits`);
    await passkeys.passkeyOf(ada);
    expect(await server.deps.db.query(sql`select points from rate_limits where key = ${key}`)).toEqual([{ points: 4 }]);
  });

  test('sends a notice by email', async () => {
    await passkeys.passkeyOf(ada);
    const { primary_email: recipient } = (await scene.userById(ada.id)) as { primary_email: string };
    expect(await scene.takeEmails()).toEqual([{ template: 'passkey_added', recipient, variables: {} }]);
  });

  test('fires no webhook', async () => {
    await addWebhookEndpoint(server.deps.db, scene.project.id);
    await passkeys.passkeyOf(ada);
    expect(
      await server.deps.db.query(sql`select type from webhook_events where project_id = ${scene.project.id}`),
    ).toEqual([]);
  });

  test('an anonymous user who registers a passkey stays anonymous, and signs in with it', async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const anonymous = await scene.anonymous();
    const authenticator = await passkeys.passkeyOf(anonymous);
    expect(await passkeys.signInWith(authenticator)).toEqual(signedIn(anonymous.id));
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true, passkey_auth_enabled: true });
  });

  test('a code works once, and is spent by a failed registration', async () => {
    const { code, options } = await passkeys.creationOptions();
    const authenticator = createAuthenticator();
    expect(await passkeys.register(code, authenticator.register(options, { challenge: 'another' }))).toEqual(
      notRegistered,
    );
    expect(await passkeys.register(code, authenticator.register(options))).toEqual(used);
  });

  test('control 16: of 20 concurrent registrations with one code one succeeds', async () => {
    const { code, options } = await passkeys.creationOptions();
    const credential = createAuthenticator().register(options);
    const answers = await Promise.all(Array.from({ length: 20 }, () => passkeys.register(code, credential)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([registered(credential.id)]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(used));
  });

  test('control 65: a challenge expires after 65 seconds', async () => {
    const [first, late] = [await passkeys.creationOptions(), await passkeys.creationOptions()];
    server.clock.advance(passkeyChallengeLifetimeMs - 1);
    expect(await passkeys.register(first.code, createAuthenticator().register(first.options))).toMatchObject({
      status: 200,
    });
    server.clock.advance(1);
    expect(await passkeys.register(late.code, createAuthenticator().register(late.options))).toEqual(expired);
  });

  test('control 67: a challenge of one user does not register a passkey for another', async () => {
    const eve = await scene.person();
    const { code, options } = await passkeys.creationOptions();
    expect(await passkeys.register(code, createAuthenticator().register(options), as(eve))).toEqual(notRegistered);
    expect(await scene.userById(eve.id)).toMatchObject({ passkey_auth_enabled: false });
  });

  test('control 67: a sign-in challenge registers no passkey, and a registration challenge does not sign in', async () => {
    const [creating, requesting] = [await passkeys.creationOptions(), await passkeys.requestOptions()];
    const authenticator = await passkeys.passkeyOf(ada);
    const user = { id: Buffer.from(ada.id).toString('base64url') };
    const credential = createAuthenticator().register({ ...requesting.options, user });
    expect(await passkeys.register(requesting.code, credential)).toEqual(notFound);
    expect(await passkeys.signIn(creating.code, authenticator.signIn(creating.options))).toEqual(notFound);
  });

  test('control 66: a credential is registered once per project, by any user', async () => {
    const { credentialId } = await passkeys.passkeyOf(ada);
    const eve = await scene.person();
    for (const person of [ada, eve]) {
      const { code, options } = await passkeys.creationOptions(person);
      const again = createAuthenticator({ credentialId }).register(options);
      expect(await passkeys.register(code, again, as(person))).toEqual(notRegistered);
    }
    expect(await scene.userById(eve.id)).toMatchObject({ passkey_auth_enabled: false });
  });

  test('requires user presence, and stores whether it verified the user, which a use does not change', async () => {
    const { code, options } = await passkeys.creationOptions();
    expect(await passkeys.register(code, createAuthenticator().register(options, { userPresent: false }))).toEqual(
      notRegistered,
    );
    const authenticator = await passkeys.passkeyOf(ada, {}, { userVerified: false });
    const isVerified = async () =>
      (await server.deps.db.query(sql`select is_user_verified as "is" from passkeys where user_id = ${ada.id}`))[0];
    expect(await isVerified()).toEqual({ is: false });
    expect(await passkeys.signInWith(authenticator)).toEqual(signedIn(ada.id));
    expect(await isVerified()).toEqual({ is: false });
  });

  describe('control 65: origin and relying party', () => {
    test.each([
      [{ origin: 'https://app.example' }, 200],
      [{ origin: 'http://localhost' }, 200],
      [{ origin: 'https://app.example:8443' }, failed.code],
      [{ origin: 'https://evil.example' }, failed.code],
      [{ origin: 'http://app.example' }, failed.code],
      [{ origin: 'not an origin' }, notRegistered.code],
      [{ rpId: 'evil.example' }, notRegistered.code],
      [{ type: 'webauthn.get' }, notRegistered.code],
      [{ challenge: 'another' }, notRegistered.code],
      [{ crossOrigin: true }, failed.code],
      [{ crossOrigin: true, topOrigin: 'https://app.example' }, failed.code],
      [{ topOrigin: 'https://app.example' }, failed.code],
      [{ crossOrigin: 'true' }, invalid.code],
    ])('a ceremony with %j returns %s', async (ceremony, expected) => {
      const { code, options } = await passkeys.creationOptions();
      const answer = await passkeys.register(code, createAuthenticator().register(options, ceremony));
      expect('code' in answer ? answer.code : answer.status).toBe(expected);
    });

    test('localhost is refused where the project does not allow it', async () => {
      await scene.configure({ allowLocalhost: false });
      const { code, options } = await passkeys.creationOptions();
      expect(await passkeys.register(code, createAuthenticator().register(options))).toEqual(failed);
    });
  });

  test('a malformed credential is SCHEMA_ERROR, after the code is checked', async () => {
    const { options } = await passkeys.creationOptions();
    const good = createAuthenticator().register(options);
    const bad = [
      {},
      'text',
      [],
      { ...good, id: undefined },
      { ...good, rawId: 1 },
      { ...good, type: undefined },
      { ...good, clientExtensionResults: undefined },
      { ...good, response: undefined },
      { ...good, response: { ...good.response, clientDataJSON: undefined } },
      { ...good, response: { ...good.response, clientDataJSON: '%%%' } },
      { ...good, response: { ...good.response, clientDataJSON: Buffer.from('{}').toString('base64url') } },
      { ...good, response: { ...good.response, clientDataJSON: Buffer.from('no json').toString('base64url') } },
      { ...good, response: { ...good.response, attestationObject: null } },
      { ...good, response: { ...good.response, transports: 'usb' } },
      { ...good, response: { ...good.response, transports: Array(21).fill('usb') } },
    ];
    for (const credential of bad) {
      expect(await passkeys.register(noCode, credential)).toEqual(notFound);
      const { code } = await passkeys.creationOptions();
      const answer = await passkeys.register(code, credential);
      expect([credential, answer]).toEqual([credential, invalid]);
      expect(answer).toMatchObject({
        details: { message: expect.stringMatching(/register:\n {2}- body\.credential/) },
      });
    }
  });

  test('a credential with 20 transports is registered', async () => {
    const { code, options } = await passkeys.creationOptions();
    const good = createAuthenticator().register(options);
    const transports = Array(passkeyTransportsMax).fill('usb');
    const answer = await passkeys.register(code, { ...good, response: { ...good.response, transports } });
    expect(answer).toMatchObject({ status: 200 });
  });

  test.each([
    ['an attestation that is not CBOR', (good: object) => ({ ...good, attestationObject: 'AAAA' })],
    ['an empty document', (good: object) => ({ ...good, attestationObject: 'oA' })],
  ])('%s is refused', async (_, spoil) => {
    const { code, options } = await passkeys.creationOptions();
    const good = createAuthenticator().register(options);
    expect(await passkeys.register(code, { ...good, response: spoil(good.response) })).toEqual(notRegistered);
  });

  test.each(['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'packed', 'tpm'])(
    'control 86: the certificates of an attestation in the format %s are not read',
    async fmt => {
      const { code, options } = await passkeys.creationOptions();
      const authenticator = createAuthenticator();
      const attestation = { fmt, attStmt: { alg: -7, sig: Buffer.alloc(8), x5c: 'no list of certificates' } };
      const credential = authenticator.register(options, { attestation });
      expect(await passkeys.register(code, credential)).toEqual(registered(authenticator.credentialId));
    },
  );

  test('an attestation that is signed with the new key is verified', async () => {
    const { code, options } = await passkeys.creationOptions();
    const authenticator = createAuthenticator();
    const credential = authenticator.register(options, { attestation: 'self' });
    expect(await passkeys.register(code, credential)).toEqual(registered(authenticator.credentialId));
  });

  test.each([
    ['none with a statement', { fmt: 'none', attStmt: { alg: -7 } }],
    ['packed without a signature', { fmt: 'packed', attStmt: {} }],
    ['packed with a wrong signature', { fmt: 'packed', attStmt: { alg: -7, sig: Buffer.alloc(70, 1) } }],
    ['unknown', { fmt: 'unknown', attStmt: {} }],
  ])('an attestation in the format %s is refused', async (_, attestation) => {
    const { code, options } = await passkeys.creationOptions();
    const credential = createAuthenticator().register(options, { attestation });
    expect(await passkeys.register(code, credential)).toEqual(notRegistered);
  });

  const rsa = (bits: number) => bytes(generateKeyPairSync('rsa', { modulusLength: bits }).publicKey, 'n');
  const onCurve = (curve: string) => generateKeyPairSync('ec', { namedCurve: curve }).publicKey;
  const bytes = (key: KeyObject, member: 'n' | 'x' | 'y') =>
    Buffer.from(key.export({ format: 'jwk' })[member] ?? '', 'base64url');
  const ed25519 = (hex: string) => ({ 1: 1, 3: -8, '-1': 6, '-2': Buffer.from(hex, 'hex') });
  const p256 = onCurve('P-256');
  const p384 = onCurve('P-384');
  test.each([
    ['of the curve P-384', { 1: 2, 3: -7, '-1': 2, '-2': bytes(p384, 'x'), '-3': bytes(p384, 'y') }],
    ['with coordinates of P-384 for P-256', { 1: 2, 3: -7, '-1': 1, '-2': bytes(p384, 'x'), '-3': bytes(p384, 'y') }],
    ['that is not on the curve', { 1: 2, 3: -7, '-1': 1, '-2': bytes(p256, 'x'), '-3': bytes(p256, 'x') }],
    ['without a coordinate', { 1: 2, 3: -7, '-1': 1, '-2': bytes(p256, 'x') }],
    ['of P-256 for the algorithm EdDSA', { 1: 2, 3: -8, '-1': 1, '-2': bytes(p256, 'x'), '-3': bytes(p256, 'y') }],
    ['of the curve X25519', { 1: 1, 3: -8, '-1': 4, '-2': Buffer.alloc(32, 9) }],
    ['of Ed25519 with 31 bytes', ed25519('ab'.repeat(31))],
    ['of zeros', ed25519('00'.repeat(32))],
    ['of order 1', ed25519(`01${'00'.repeat(31)}`)],
    ['of order 2', ed25519(`ec${'ff'.repeat(30)}7f`)],
    ['of order 8', ed25519('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')],
    [
      'of order 8 with the negative coordinate',
      ed25519('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    ],
    ['of zeros that is not reduced', ed25519(`ed${'ff'.repeat(30)}ff`)],
    ['of RSA with 1024 bits', { 1: 3, 3: -257, '-1': rsa(1024), '-2': Buffer.from([1, 0, 1]) }],
    ['of RSA with the exponent 1', { 1: 3, 3: -257, '-1': rsa(2048), '-2': Buffer.from([1]) }],
    ['of RSA for the algorithm ES256', { 1: 3, 3: -7, '-1': rsa(2048), '-2': Buffer.from([1, 0, 1]) }],
  ] as const)('a public key %s is refused', async (_, publicKey) => {
    const { code, options } = await passkeys.creationOptions();
    expect(await passkeys.register(code, createAuthenticator({ publicKey }).register(options))).toEqual(notRegistered);
    expect(await scene.userById(ada.id)).toMatchObject({ passkey_auth_enabled: false });
  });

  test('a credential whose outer id differs from the attested id is refused', async () => {
    const { code, options } = await passkeys.creationOptions();
    const other = createAuthenticator().credentialId;
    const good = createAuthenticator().register(options);
    expect(await passkeys.register(code, { ...good, id: other, rawId: other })).toEqual(notRegistered);
  });

  test('checks the code, then whether passkeys are on', async () => {
    const { code, options } = await passkeys.creationOptions();
    await scene.configure({ passkeyEnabled: false });
    const credential = createAuthenticator().register(options);
    expect([
      await passkeys.register(noCode, {}),
      await passkeys.register(code, credential),
      await passkeys.register(code, credential),
    ]).toEqual([notFound, off, used]);
  });

  test('a request without a user is refused', async () => {
    const { code, options } = await passkeys.creationOptions();
    const details = { message: expect.stringContaining('auth.user must be defined') };
    expect(await passkeys.register(code, createAuthenticator().register(options), {})).toEqual({ ...invalid, details });
  });

  test.each([{ code: noCode }, { credential: {} }, { code: noCode, credential: null }, { code: 'x', credential: {} }])(
    'a body of %j is refused',
    async body => {
      expect(await scene.call('POST /auth/passkey/register', { ...as(ada), body })).toEqual(invalid);
    },
  );

  test('a user who is deleted during the registration does not cause a 500', async () => {
    const { code, options } = await passkeys.creationOptions();
    const credential = createAuthenticator().register(options);
    const answer = await whileDeleting(server, ada.id, () => passkeys.register(code, credential));
    expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status >= 400 && status < 500) });
  });
});

test('control 23: no code is in the log, and the reason of a refused passkey is', async () => {
  const { code, options } = await passkeys.creationOptions();
  await passkeys.register(code, createAuthenticator().register(options, { userPresent: false }));
  expect(server.logged()).not.toContain(code);
  expect(server.logged()).toContain('User presence was required');
});
