import { codeMaxAttempts, rateLimits, signInSourceMemoryMs } from '@tessera/protocol';
import type { Answered, CallOptions } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  callback,
  noCode,
  notFound,
  openScene,
  type Person,
  plainPasswords,
  type Scene,
  sceneOf,
  success,
} from '../scene.fixtures.ts';

const passwords = plainPasswords();
let server: TestServer;
let beside: TestServer;
let scene: Scene;
let email: string;
beforeAll(async () => {
  server = await openTestServer({ passwords });
  beside = await openTestServer({ passwords, beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
});
afterEach(() => {
  vi.useRealTimers();
});

const password = 'correct horse';
const stranger = '203.0.113.7';
const mismatch = { status: 400, code: 'EMAIL_PASSWORD_MISMATCH' };
const tooOften = { status: 429, says: 'a sentence' };

/** Holds the clock of the machine, which the limits use. */
function holdMachineClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() });
}

function account(more: object = {}): Promise<Person> {
  return scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    password,
    ...more,
  });
}

async function signIn(body: object = {}, options: CallOptions = {}): Promise<Answered> {
  const { project } = scene;
  return server.call('POST /auth/password/sign-in', { project, body: { email, password, ...body }, ...options });
}

const guess = (options: CallOptions = {}) => signIn({ password: 'a wrong guess' }, options).then(outcome);

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}

describe('control 70: failed sign-ins of an account', () => {
  test('after ten in 15 minutes the right password is refused too', async () => {
    holdMachineClock();
    await account();
    expect(await times(10, () => guess())).toEqual(Array(10).fill(mismatch));
    const refused = await signIn();
    expect(outcome(refused)).toEqual(tooOften);
    expect(refused.headers.get('retry-after')).toBe('900');
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1);
    expect(await signIn()).toMatchObject({ status: 200 });
  });

  test('count over all processes', async () => {
    await account();
    await times(10, () => guess());
    const elsewhere = sceneOf(beside, scene.project);
    expect(await elsewhere.call('POST /auth/password/sign-in', { body: { email, password } })).toEqual(tooOften);
  });

  test('count for an unknown address as for a known one', async () => {
    expect(await times(11, () => guess())).toEqual([...Array(10).fill(mismatch), tooOften]);
    email = scene.address();
    await account();
    expect(await times(11, () => guess())).toEqual([...Array(10).fill(mismatch), tooOften]);
  });

  test('count for one account only, in any letter case of its address', async () => {
    await account();
    await times(10, () => guess());
    expect(outcome(await signIn({ email: email.toUpperCase() }))).toEqual(tooOften);
    email = scene.address();
    await account();
    expect(await signIn()).toMatchObject({ status: 200 });
  });

  test('of another project do not count', async () => {
    await account();
    await times(10, () => guess());
    scene = await openScene(server);
    await account();
    expect(await signIn()).toMatchObject({ status: 200 });
  });

  test('over the limit cost no comparison, also in a burst', async () => {
    await account();
    passwords.work.length = 0;
    const burst = await Promise.all(Array.from({ length: 60 }, () => guess()));
    const compared = passwords.work.filter(work => work === 'compare').length;
    expect(compared).toBeGreaterThanOrEqual(10);
    expect(compared).toBeLessThanOrEqual(13);
    expect(burst.filter(one => one.status === 429)).toHaveLength(60 - 10);
  });

  test('do not include successful sign-ins, in any number', async () => {
    await account();
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn()));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  test('include wrong old passwords of a password change', async () => {
    const { accessToken } = await account();
    const body = { old_password: 'a wrong guess', new_password: 'another password' };
    const change = () => scene.call('POST /auth/password/update', { accessToken, body });
    const confirmation = { status: 400, code: 'PASSWORD_CONFIRMATION_MISMATCH' };
    expect(await times(11, change)).toEqual([...Array(10).fill(confirmation), tooOften]);
    expect(outcome(await signIn())).toEqual(tooOften);
  });

  test('control 22: include those of a password change, whichever address the user makes primary', async () => {
    const { accessToken } = await account();
    const change = () => {
      const body = { old_password: 'a wrong guess', new_password: 'another password' };
      return scene.call('POST /auth/password/update', { accessToken, body });
    };
    await times(10, change);
    const other = { type: 'email', value: scene.address(), user_id: 'me', used_for_auth: false, is_primary: true };
    expect(await scene.call('POST /contact-channels', { accessToken, body: other })).toMatchObject({ status: 201 });
    expect(await change()).toEqual(tooOften);
  });

  test('control 22: include wrong TOTP codes over any number of attempts', async () => {
    const secret = '12345678901234567890';
    await account({ totp_secret_base64: Buffer.from(secret).toString('base64') });
    const totp = new TOTP({ secret: Secret.fromUTF8(secret) });
    const near = [-1, 0, 1].map(step => totp.generate({ timestamp: server.clock.now() + step * 30_000 }));
    const wrong = ['000000', '111111', '222222', '333333'].find(one => !near.includes(one));
    const finish = async (number = wrong) => {
      const begun = outcome(await signIn());
      const { attempt_code: code } =
        'details' in begun ? (begun.details as { attempt_code: string }) : { attempt_code: '' };
      return scene.call('POST /auth/mfa/sign-in', { body: { code, type: 'totp', totp: number } });
    };
    expect(await times(10, () => finish())).toEqual(Array(10).fill({ status: 400, code: 'INVALID_TOTP_CODE' }));
    expect(outcome(await signIn())).toEqual(tooOften);
    const begunBefore = await scene.code('mfa_attempt', { userId: await userId(), data: { isNewUser: false } });
    const body = { code: begunBefore, type: 'totp', totp: near[1] };
    expect(await scene.call('POST /auth/mfa/sign-in', { body })).toEqual(tooOften);
  });
});

test('control 22: a burst of wrong TOTP codes is limited as single requests are', async () => {
  const secret = '12345678901234567890';
  await account({ totp_secret_base64: Buffer.from(secret).toString('base64') });
  const totp = new TOTP({ secret: Secret.fromUTF8(secret) });
  const right = totp.generate({ timestamp: server.clock.now() });
  const near = [-1, 0, 1].map(step => totp.generate({ timestamp: server.clock.now() + step * 30_000 }));
  const wrong = Array.from({ length: 60 }, (_, index) => String(index).padStart(6, '0')).filter(
    one => !near.includes(one),
  );
  const attempt = { userId: await userId(), data: { isNewUser: false } };
  const codes = await times(wrong.length + 1, () => scene.code('mfa_attempt', attempt));
  const answers = await Promise.all(
    [...wrong, right].map((number, index) =>
      scene.call('POST /auth/mfa/sign-in', { body: { code: codes[index], type: 'totp', totp: number } }),
    ),
  );
  expect(answers.at(-1)).toEqual(tooOften);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
});

async function userId(): Promise<string> {
  const [row] = await server.deps.db.query<{ id: string }>(sql`
    select user_id as id from contact_channels where project_id = ${scene.project.id} and value = ${email}
  `);
  return row?.id ?? '';
}

describe('control 70: wrong passwords from other address blocks', () => {
  const home = '198.51.100.20';
  /** Wrong passwords from as many address blocks as needed, ten from each. */
  const attack = (count: number) =>
    times(count, index => guess({ peerAddress: `203.0.113.${Math.floor(index / 10) + 1}` }));
  const signInFrom = async (peerAddress: string) => outcome(await signIn({}, { peerAddress }));
  const signedIn = expect.objectContaining({ status: 200 });

  test('ten wrong passwords from one address block do not refuse the right one from another', async () => {
    await account();
    await attack(10);
    expect(await signInFrom('203.0.113.1')).toEqual(tooOften);
    expect(await signInFrom(home)).toEqual(signedIn);
  });

  test('a hundred wrong passwords refuse only blocks from which the account has not signed in', async () => {
    await account();
    expect(await signInFrom(home)).toEqual(signedIn);
    expect(await attack(100)).toEqual(Array(100).fill(mismatch));
    expect(await signInFrom('203.0.113.99')).toEqual(tooOften);
    expect(await guess({ peerAddress: '203.0.113.98' })).toEqual(tooOften);
    expect(await signInFrom(home)).toEqual(signedIn);
    expect(await times(11, () => guess({ peerAddress: home }))).toEqual([...Array(10).fill(mismatch), tooOften]);
  });

  test('a burst from many address blocks at two processes is limited as single requests are', async () => {
    await account();
    passwords.work.length = 0;
    const elsewhere = sceneOf(beside, scene.project);
    const body = { email, password: 'a wrong guess' };
    const burst = Array.from({ length: 130 }, (_, index) =>
      (index % 2 === 0 ? scene : elsewhere).call('POST /auth/password/sign-in', {
        body,
        peerAddress: `203.0.113.${index + 1}`,
      }),
    );
    const answers = await Promise.all(burst);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(100);
    expect(passwords.work.filter(work => work === 'compare')).toHaveLength(100);
    expect(await signInFrom('203.0.113.200')).toEqual(tooOften);
  });

  test('right passwords from many address blocks do not count', async () => {
    await account();
    const addresses = Array.from({ length: 30 }, (_, index) => `198.51.100.${index + 1}`);
    expect(await Promise.all(addresses.map(signInFrom))).toEqual(Array(30).fill(signedIn));
    expect(await attack(100)).toEqual(Array(100).fill(mismatch));
  });

  test('a burst of wrong TOTP codes from many address blocks is limited as single requests are', async () => {
    await account({ totp_secret_base64: Buffer.from('12345678901234567890').toString('base64') });
    const attempt = { userId: await userId(), data: { isNewUser: false } };
    const codes = await times(30, () => scene.code('mfa_attempt', attempt));
    const burst = codes.map((code, index) =>
      scene.call('POST /auth/mfa/sign-in', {
        body: { code, type: 'totp', totp: 'wrong!' },
        peerAddress: `203.0.113.${index + 1}`,
      }),
    );
    expect((await Promise.all(burst)).filter(({ status }) => status === 400)).toHaveLength(10);
  });

  test('a block is known for 90 days after the last sign-in from it', async () => {
    holdMachineClock();
    await account();
    await signInFrom(home);
    server.clock.advance(signInSourceMemoryMs - 1);
    vi.setSystemTime(server.clock.now());
    await attack(100);
    expect(await signInFrom(home)).toEqual(signedIn);
    server.clock.advance(signInSourceMemoryMs);
    vi.setSystemTime(server.clock.now());
    await attack(100);
    expect(await signInFrom(home)).toEqual(tooOften);
  });

  test('each sign-in from a known block keeps it known for another 90 days', async () => {
    holdMachineClock();
    await account();
    await signInFrom(home);
    for (const _ of [1, 2, 3]) {
      server.clock.advance(signInSourceMemoryMs - 1);
      vi.setSystemTime(server.clock.now());
      await attack(100);
      expect(await signInFrom(home)).toEqual(signedIn);
    }
  });

  test('a hundred wrong passwords of an unknown address get the answers of a known one', async () => {
    expect(await attack(101)).toEqual([...Array(100).fill(mismatch), tooOften]);
  });

  test('wrong TOTP codes from other blocks refuse the right one only from unknown blocks', async () => {
    const secret = '12345678901234567890';
    await account();
    expect(await signInFrom(home)).toEqual(signedIn);
    const params = { user_id: await userId() };
    const body = { totp_secret_base64: Buffer.from(secret).toString('base64') };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params, body });
    const attempt = { userId: params.user_id, data: { isNewUser: false } };
    const enter = async (totp: string, peerAddress: string) => {
      const code = await scene.code('mfa_attempt', attempt);
      return scene.call('POST /auth/mfa/sign-in', { body: { code, type: 'totp', totp }, peerAddress });
    };
    const right = TOTP.generate({ secret: Secret.fromUTF8(secret), timestamp: server.clock.now() });
    await times(10, index => enter('wrong!', `203.0.113.${index + 1}`));
    expect(await enter(right, '203.0.113.99')).toEqual(tooOften);
    expect(await enter(right, home)).toEqual(signedIn);
  });

  test('a right TOTP code after nine wrong ones does not refuse the next right one', async () => {
    const secret = '12345678901234567890';
    await account({ totp_secret_base64: Buffer.from(secret).toString('base64') });
    const attempt = { userId: await userId(), data: { isNewUser: false } };
    const enter = async (totp: string, peerAddress: string) => {
      const code = await scene.code('mfa_attempt', attempt);
      return scene.call('POST /auth/mfa/sign-in', { body: { code, type: 'totp', totp }, peerAddress });
    };
    const right = () => TOTP.generate({ secret: Secret.fromUTF8(secret), timestamp: server.clock.now() });
    await times(9, index => enter('wrong!', `203.0.113.${index + 1}`));
    expect(await enter(right(), '203.0.113.98')).toEqual(signedIn);
    server.clock.advance(30_000);
    expect(await enter(right(), '203.0.113.99')).toEqual(signedIn);
    await enter('wrong!', '203.0.113.100');
    server.clock.advance(30_000);
    expect(await enter(right(), '203.0.113.101')).toEqual(tooOften);
  });

  test('a password reset of an account without a verified address deletes the known blocks', async () => {
    await account({ primary_email_verified: false });
    await signInFrom(home);
    await scene.call('POST /auth/password/send-reset-code', { body: { email, callback_url: callback } });
    const code = await scene.emailedCode();
    expect(await scene.call('POST /auth/password/reset', { body: { code, password } })).toEqual(success);
    await attack(100);
    expect(await signInFrom(home)).toEqual(tooOften);
  });
});

describe('control 70: failed sign-ins from one address', () => {
  const guessAt = (peerAddress: string, more: CallOptions = {}) => {
    email = scene.address();
    return guess({ peerAddress, ...more });
  };
  beforeEach(() => scene.configure({ limits: { failedSignInsPerAddress: 3 } }));

  test('count over all accounts', async () => {
    expect(await times(4, () => guessAt(stranger))).toEqual([mismatch, mismatch, mismatch, tooOften]);
    await account();
    expect(outcome(await signIn({}, { peerAddress: stranger }))).toEqual(tooOften);
    expect(await signIn({}, { peerAddress: '203.0.113.8' })).toMatchObject({ status: 200 });
  });

  test('count for one /64 of IPv6, in every spelling', async () => {
    const addresses = ['2001:db8:0:1::1', '2001:DB8::1:ffff:0:0:1', '2001:db8:0:1:a:b:c:d', '2001:db8:0:1::2'];
    expect(await times(4, index => guessAt(addresses[index] ?? ''))).toEqual([mismatch, mismatch, mismatch, tooOften]);
    expect(await guessAt('2001:db8:0:2::1')).toEqual(mismatch);
  });

  test('count for an IPv4 address in its IPv6-mapped form', async () => {
    await times(3, () => guessAt(stranger));
    expect(await guessAt(`::ffff:${stranger}`)).toEqual(tooOften);
  });

  test('control 71: cannot be moved to other addresses by a header', async () => {
    await times(3, () => guessAt(stranger));
    const headers = { 'x-forwarded-for': '198.51.100.1', 'cf-connecting-ip': '198.51.100.1' };
    expect(await guessAt(stranger, { headers })).toEqual(tooOften);
  });

  test('are not counted for servers, which act for many users', async () => {
    expect(await times(5, () => guessAt(stranger, { level: 'server' }))).toEqual(Array(5).fill(mismatch));
  });

  test("are not counted for a developer's own tests", async () => {
    expect(await times(5, () => guessAt('127.0.0.1'))).toEqual(Array(5).fill(mismatch));
    expect(await times(5, () => guessAt('::1'))).toEqual(Array(5).fill(mismatch));
  });
});

describe('control 22: guesses of a code', () => {
  const wrongStart = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);
  const enter = (code: string, more: CallOptions = {}) =>
    scene.call('POST /auth/otp/sign-in', { body: { code }, ...more });

  test('are limited for the account, and a new code does not reset the limit', async () => {
    const codes = await times(4, () => scene.code('sign_in', { address: email, data: {} }));
    for (const code of codes.slice(0, 3)) {
      expect(await times(codeMaxAttempts, () => enter(wrongStart(code)))).toEqual(
        Array(codeMaxAttempts).fill(notFound),
      );
    }
    expect(await enter(wrongStart(codes[3] ?? ''))).toEqual(tooOften);
    expect(await enter(codes[3] ?? '')).toEqual(tooOften);
    const elsewhere = sceneOf(beside, scene.project);
    expect(await elsewhere.call('POST /auth/otp/sign-in', { body: { code: codes[3] } })).toEqual(tooOften);
    const other = await scene.code('sign_in', { address: scene.address(), data: {} });
    expect(await enter(other)).toMatchObject({ status: 200 });
  });

  test('of other callers leave the first attempt with a right code and a password reset possible', async () => {
    const codes = await times(4, () => scene.code('sign_in', { address: email, data: {} }));
    let block = 0;
    for (const code of codes.slice(0, 3)) {
      const guess = () => enter(wrongStart(code), { peerAddress: `198.51.100.${block++}` });
      expect(await times(codeMaxAttempts, guess)).toEqual(Array(codeMaxAttempts).fill(notFound));
    }
    expect(await enter(wrongStart(codes[0] ?? ''), { peerAddress: '198.51.100.99' })).toEqual(tooOften);
    const { id: userId } = await account();
    const reset = await scene.code('password_reset', { address: email, userId, data: {} });
    const body = { code: reset, password: 'another correct horse' };
    expect(await scene.call('POST /auth/password/reset', { body })).toEqual(success);
    expect(await enter(codes[3] ?? '')).toMatchObject({ status: 200 });
  });

  test('are limited for the address block, also at a right code that was never tried, which works from another block', async () => {
    const { points, windowMs } = rateLimits.codeAttemptsPerAddress;
    const key = `codeAttemptsPerAddress:${scene.project.id}:${stranger}`;
    const expire = Date.now() + windowMs;
    await server.deps.db.query(
      sql`insert into rate_limits (key, points, expire) values (${key}, ${points - 2}, ${expire})`,
    );
    const answers = await times(3, () => enter(noCode, { peerAddress: stranger }));
    expect(answers).toEqual([notFound, notFound, tooOften]);
    const right = { body: { code: await scene.code('sign_in', { address: email, data: {} }) }, peerAddress: stranger };
    const elsewhere = sceneOf(beside, scene.project);
    expect(await scene.call('POST /auth/otp/sign-in', right)).toEqual(tooOften);
    expect(await elsewhere.call('POST /auth/otp/sign-in', right)).toEqual(tooOften);
    expect(await enter(noCode, { peerAddress: '203.0.113.8' })).toEqual(notFound);
    expect(await enter(right.body.code, { peerAddress: '203.0.113.8' })).toMatchObject({ status: 200 });
  });
});

test('TESSERA_RATE_LIMITS=off disables the limits', async () => {
  const environment = { TESSERA_RATE_LIMITS: 'off' };
  const open = await openTestServer({ passwords, beside: server, environment });
  const elsewhere = sceneOf(open, scene.project);
  const body = { email, password: 'a wrong guess' };
  const answers = await times(12, () => elsewhere.call('POST /auth/password/sign-in', { body, peerAddress: stranger }));
  expect(answers).toEqual(Array(12).fill(mismatch));
  const send = () => elsewhere.call('POST /auth/password/send-reset-code', { body: { email, callback_url: callback } });
  expect((await times(7, send)).map(({ status }) => status)).toEqual(Array(7).fill(success.status));
  await open.close();
});
