import { internalKeys } from '@tessera/testing/call';
import { anId, aSecret, aToken, outcome } from '@tessera/testing/outcome';
import { startServer } from '@tessera/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { HashingBusy } from '../../platform/crypto/passwords.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { interruptedPasswords } from '../sign-in/scene.fixtures.ts';
import { prepareInstallation } from './prepare.ts';

const production = { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'https://auth.example.com' };

const passwords = interruptedPasswords();
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: production, passwords });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.db.query(sql`update installation set owner_user_id = null`);
  for (const rows of [sql`delete from users`, sql`delete from one_time_codes`]) await server.deps.db.query(rows);
});

const start = async () => (await prepareInstallation(server.deps)).ownerLink;
const codeOf = (link: string | undefined) => new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('code') ?? '';
const newCode = async () => codeOf(await start());

const person = { email: 'First@Example.com', password: 'quiet lantern orbit' };
const follow = (code: string, fields: object = {}, at = server) =>
  at.call('POST /extensions/first-owner', { body: { code, ...person, ...fields } });
const refused = (status: number) => ({ status, says: 'a sentence' });
const signedIn = { status: 200, body: { access_token: aToken, refresh_token: aSecret, user_id: anId } };
const owners = () => server.deps.db.query(sql`select owner_user_id as owner from installation`);

describe('the first-owner link', () => {
  test('points to the dashboard, with the code in the fragment', async () => {
    expect(await start()).toMatch(/^https:\/\/auth\.example\.com\/dashboard\/first-owner#code=[0-9a-hjkmnp-tv-z]{45}$/);
  });

  test('is printed at each start until the installation has an owner', async () => {
    const [first, second] = [await start(), await start()];
    expect(second).not.toBe(first);
    await follow(codeOf(second));
    expect(await start()).toBeUndefined();
  });

  test('is printed in production with sign-up on, and creates the owner', async () => {
    const open = await openTestServer({ environment: { ...production, TESSERA_INTERNAL_SIGN_UP: 'on' } });
    const { userId: stranger } = await open.make.user();
    const { ownerLink } = await prepareInstallation(open.deps);
    const answer = await follow(codeOf(ownerLink), {}, open);
    const { user_id: owner } = z.object({ user_id: z.string() }).parse(answer.json);
    const stored = await open.deps.db.query(sql`select owner_user_id as owner from installation`);
    await open.close();
    expect(stored).toEqual([{ owner }]);
    expect(owner).not.toBe(stranger);
  });

  test('stays unused when all hashing threads are busy', async () => {
    const code = await newCode();
    passwords.meanwhile = () => Promise.reject(new HashingBusy('too many passwords are being checked'));
    expect((await follow(code)).status).toBe(429);
    expect(outcome(await follow(code))).toEqual(signedIn);
  });

  test('is printed to the terminal, and the log contains no secret', async () => {
    const written: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0);
    const settings = { TESSERA_PUBLIC_URL: 'http://localhost:4280' };
    const started = await startServer({ environment: { ...settings, TESSERA_MODE: 'production' } }).finally(() =>
      stderr.mockRestore(),
    );
    await started.stop();
    expect(written.join('')).toMatch(/http:\/\/localhost:4280\/dashboard\/first-owner#code=[0-9a-z]{45}\n$/);
    expect(started.logged()).not.toContain('first-owner');
  });

  test('control 15: the code of the link is stored as a hash only', async () => {
    const code = await newCode();
    const rows = await server.deps.db.query(sql`select row_to_json(c)::text as row from one_time_codes c`);
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('the first owner', () => {
  test('is signed in by the link, and owns internal', async () => {
    const answer = await follow(await newCode(), { display_name: 'Ada' });
    expect(outcome(answer)).toEqual(signedIn);
    const { user_id, access_token } = z.object({ user_id: z.string(), access_token: z.string() }).parse(answer.json);
    expect(await owners()).toEqual([{ owner: user_id }]);
    const headers = {
      'x-stack-access-type': 'admin',
      'x-stack-project-id': 'internal',
      'x-stack-admin-access-token': access_token,
    };
    const read = await server.call('GET /internal/projects/current', { level: null, headers });
    expect(read.json).toMatchObject({ id: 'internal', config: { sign_up_enabled: false } });
    const me = await server.call('GET /users/me', { accessToken: access_token });
    expect(me.json).toMatchObject({ display_name: 'Ada', primary_email: 'first@example.com' });
  });

  test('can sign in with the new password afterwards', async () => {
    await follow(await newCode());
    const body = { email: person.email, password: person.password };
    expect((await server.call('POST /auth/password/sign-in', { body })).status).toBe(200);
  });

  test('can create projects', async () => {
    const { json } = await follow(await newCode());
    const accessToken = (json as { access_token: string }).access_token;
    const answer = await server.call('POST /internal/projects', { accessToken, body: { display_name: 'Shop' } });
    expect(answer.status).toBe(201);
  });
});

describe('the first-owner link is refused with a text error', () => {
  test('when it was already used', async () => {
    const [one, other] = [await newCode(), await newCode()];
    await follow(one);
    for (const code of [one, other]) {
      expect(outcome(await follow(code, { email: 'second@example.com' }))).toEqual(refused(409));
    }
    expect(await server.deps.db.query(sql`select id from users`)).toHaveLength(1);
  });

  test('when its code is unknown or of another kind', async () => {
    expect(outcome(await follow('nothing'))).toEqual(refused(404));
    await newCode();
    expect(outcome(await follow('0'.repeat(45)))).toEqual(refused(404));
  });

  test('when it is older than a day', async () => {
    const code = await newCode();
    server.clock.advance(24 * 3_600_000);
    expect(outcome(await follow(code))).toEqual(refused(400));
    expect(await owners()).toEqual([{ owner: null }]);
  });

  test('for a project other than internal', async () => {
    const code = await newCode();
    const project = await server.make.project();
    const body = { code, ...person };
    expect(outcome(await server.call('POST /extensions/first-owner', { project, body }))).toEqual(refused(403));
  });

  test('control 16: of two concurrent users of the link one becomes the owner, and the other is refused', async () => {
    const codes = await Promise.all([newCode(), newCode(), newCode()]);
    const answers = await Promise.all(codes.map((code, index) => follow(code, { email: `p${index}@example.com` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await server.deps.db.query(sql`select id from users`)).toHaveLength(1);
  });

  test('with a weak password or a taken address, and stays usable', async () => {
    const body = { primary_email: 'taken@example.com', primary_email_auth_enabled: true, is_anonymous: true };
    await server.call('POST /users', { level: 'server', body });
    const code = await newCode();
    expect(outcome(await follow(code, { password: 'password1234' }))).toEqual(refused(400));
    expect(outcome(await follow(code, { email: 'taken@example.com' }))).toEqual(refused(409));
    expect(outcome(await follow(code))).toEqual(signedIn);
  });

  test.each([{ password: 'short' }, { email: 'a@localhost' }, { password: null }, { more: 1 }])(
    'with the invalid body %j',
    async fields => {
      expect(outcome(await follow(await newCode(), fields))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    },
  );

  test('without a key of internal', async () => {
    const answer = await server.call('POST /extensions/first-owner', {
      project: { id: 'internal', ...internalKeys, publishableClientKey: 'pck_wrong' },
      body: { code: 'x', ...person },
    });
    expect(outcome(answer)).toMatchObject({ code: 'INVALID_PUBLISHABLE_CLIENT_KEY' });
  });
});
