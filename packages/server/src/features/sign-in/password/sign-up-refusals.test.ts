import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectConfig } from '../../../core/project-config.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

const good = { password: 'correct horse', verification_callback_url: 'http://localhost:3000/verify' };

function signUp(body: Record<string, unknown>, options: CallOptions = {}) {
  return server.call('POST /auth/password/sign-up', { project, body: { ...good, ...body }, ...options });
}

test('password sign-up reports the first of several faults, in the order of the contract', async () => {
  const email = 'order@example.com';
  const told = async (config: Partial<ProjectConfig>, body: Record<string, unknown>) => {
    const where = await server.make.project(config);
    return outcome(await signUp({ email, ...body }, { project: where }));
  };
  const elsewhere = { verification_callback_url: 'https://elsewhere.example/' };
  const short = { password: '1234567' };
  const allOff = { credentialEnabled: false, signUpEnabled: false };

  expect(await told(allOff, { ...elsewhere, ...short })).toEqual({
    status: 400,
    code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED',
  });
  expect(await told({ signUpEnabled: false }, { ...elsewhere, ...short })).toEqual({
    status: 400,
    code: 'REDIRECT_URL_NOT_WHITELISTED',
  });
  expect(await told({ signUpEnabled: false }, short)).toEqual({
    status: 400,
    code: 'PASSWORD_TOO_SHORT',
    details: { min_length: 8 },
  });
  expect(await told({ signUpEnabled: false }, {})).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
});

test('a taken address is refused with SIGN_UP_NOT_ENABLED while sign-up is off', async () => {
  const closed = await server.make.project();
  const { email } = await server.make.user({ project: closed });
  await server.deps.db.query(
    sql`update projects set config = ${JSON.stringify({ credentialEnabled: true, allowLocalhost: true, signUpEnabled: false })} where id = ${closed.id}`,
  );
  const beside = await openTestServer({ beside: server });
  const body = { ...good, email };
  const answer = await beside.call('POST /auth/password/sign-up', { project: closed, body });
  await beside.close();
  expect(outcome(answer)).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
});

describe('a sign-up with a taken address', () => {
  test.each(['taken@example.com', 'Taken@Example.COM', 'TAKEN@EXAMPLE.COM'])(
    '%s is refused with its normalized spelling',
    async email => {
      await signUp({ email: 'taken@example.com' });
      const answer = await signUp({ email });
      expect(outcome(answer)).toEqual({
        status: 409,
        code: 'USER_EMAIL_ALREADY_EXISTS',
        details: { email: 'taken@example.com' },
      });
    },
  );

  test('succeeds in another project', async () => {
    await signUp({ email: 'both@example.com' });
    const other = await server.make.project();
    expect((await signUp({ email: 'both@example.com' }, { project: other })).status).toBe(200);
  });
});

describe('control 73: 20 concurrent sign-ups', () => {
  test.each([
    ['with one spelling', (_: number) => 'race@example.com'],
    ['with two spellings', (index: number) => (index % 2 === 0 ? 'Mixed-Race@example.com' : 'mixed-race@EXAMPLE.com')],
  ])('%s of the address create one account', async (_, spelling) => {
    const answers = await Promise.all(Array.from({ length: 20 }, (__, index) => signUp({ email: spelling(index) })));
    const address = spelling(0).toLowerCase();
    const taken = { status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: address } };
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(outcome)).toEqual(Array(19).fill(taken));
    const rows = await server.deps.db.query(sql`
      select u.id from users u join contact_channels c on c.project_id = u.project_id and c.user_id = u.id
      where u.project_id = ${project.id} and c.value = ${address}
    `);
    expect(rows).toHaveLength(1);
  });
});

describe('a sign-up body that fails the schema', () => {
  test.each([
    ['email', 'a@localhost'],
    ['email', 'a@example.c'],
    ['email', ' a@example.com'],
    ['email', 'a@example.com '],
    ['email', '.a@example.com'],
    ['email', 'a..b@example.com'],
    ['email', 'a.@example.com'],
    ['email', 'a@b@example.com'],
    ['email', 'a\r\nBcc: x@example.com'],
    ['email', 'ä@example.com'],
    ['email', 'Ada <a@example.com>'],
    ['email', 'a@[127.0.0.1]'],
    ['email', `${'a'.repeat(320)}@example.com`],
    ['email', ''],
    ['email', null],
    ['email', ['a@example.com']],
    ['password', null],
    ['password', ['correct horse']],
    ['password', 'x'.repeat(71)],
    ['verification_callback_url', '/verify'],
    ['verification_callback_url', 'http://localhost/a b'],
    ['verification_callback_url', ' http://localhost/'],
    ['verification_callback_url', 'http://loc\nalhost/'],
    ['verification_callback_url', ''],
    ['verification_callback_url', null],
    ['is_verified', true],
    ['primary_email_verified', true],
    ['display_name', 'Ada'],
    ['server_metadata', { managedProjectIds: ['internal'] }],
  ])('control 90: %s = %j', async (key, value) => {
    const answer = await signUp({ email: 'schema@example.com', [key]: value });
    expect(outcome(answer)).toEqual({
      status: 400,
      code: 'SCHEMA_ERROR',
      details: { message: expect.stringContaining(key) },
    });
  });

  test.each(['email', 'password', 'verification_callback_url'])('a body without %s is refused', async key => {
    const answer = await signUp({ email: 'schema@example.com', [key]: undefined });
    const message = expect.stringContaining(`body.${key} must be defined`);
    expect(outcome(answer)).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
  });

  test('is refused before the project switches are checked', async () => {
    const off = await server.make.project({ credentialEnabled: false });
    expect(outcome(await signUp({ email: 'nonsense' }, { project: off }))).toMatchObject({ code: 'SCHEMA_ERROR' });
  });
});

describe('control 3: the length of a password counts UTF-16 units', () => {
  test.each([
    ['7 letters', 'abcdefg'],
    ['no characters', ''],
    ['3 characters of two units and one letter', '😀😀😀a'],
  ])('%s are too short', async (_, password) => {
    const answer = await signUp({ email: 'short@example.com', password });
    expect(outcome(answer)).toEqual({ status: 400, code: 'PASSWORD_TOO_SHORT', details: { min_length: 8 } });
  });

  test.each([
    ['8 letters', 'abcdefgh'],
    ['8 spaces', ' '.repeat(8)],
    ['4 characters of two units', '😀'.repeat(4)],
    ['70 letters', 'x'.repeat(70)],
    ['35 characters of two units and four bytes', '😀'.repeat(35)],
    ['70 letters of three bytes', 'ส'.repeat(70)],
  ])('%s are accepted', async (name, password) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    expect((await signUp({ email, password })).status).toBe(200);
    const answer = await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
    expect(answer.status).toBe(200);
  });
});
