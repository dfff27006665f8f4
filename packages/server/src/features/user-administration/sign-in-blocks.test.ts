import { rateLimits } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Statement, sql } from '../../platform/database/sql.ts';
import { failedSignInCounters, selectSignInBlocks } from '../../platform/rate-limits/index.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let beside: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
beforeAll(async () => {
  const passwords = plainPasswords();
  server = await openTestServer({ passwords });
  beside = await openTestServer({ passwords, beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  project = await server.make.project();
  ada = await server.make.user({ project });
});

const success = { status: 200, body: { success: true } };
const perAccount = 'failedSignInsPerAccount';
const { points } = rateLimits[perAccount];
const aTime = expect.any(Number);

interface Guess {
  readonly email?: string;
  readonly peerAddress?: string;
  readonly at?: TestServer;
}

function guess({ email = ada.email, peerAddress = '203.0.113.7', at = server }: Guess = {}) {
  const body = { email, password: 'a wrong password' };
  return at.call('POST /auth/password/sign-in', { project, body, peerAddress });
}

/** Exhausts the counter of an account and one address block, and is refused once. */
async function lockOut(options: Guess = {}): Promise<void> {
  for (let count = 0; count < points; count++) await guess(options);
  expect((await guess(options)).status).toBe(429);
}

const route = '/internal/extensions/users/{user_id}/sign-in-blocks' as const;
const asAdmin = (userId = ada.userId) => ({ project, level: 'admin', params: { user_id: userId } }) as const;
const read = async () => outcome(await server.call(`GET ${route}`, asAdmin()));
const allow = async () => outcome(await server.call(`DELETE ${route}`, asAdmin()));
const listed = (...items: object[]) => ({ status: 200, body: { items, is_paginated: false } });

describe('the sign-in blocks of a user', () => {
  test('are empty while failed attempts are below the limit', async () => {
    for (let count = 0; count < points - 1; count++) await guess();
    expect(await read()).toEqual(listed());
  });

  test('have each network from which attempts are refused, and when the refusal ends', async () => {
    await lockOut();
    await lockOut({ peerAddress: '2001:db8::1' });
    await lockOut({ email: 'unknown@example.com', peerAddress: '203.0.113.8' });
    const blocks = z.object({ body: z.object({ items: z.array(z.looseObject({ from: z.string() })) }) });
    const { items } = blocks.parse(await read()).body;
    expect(items.sort((one, other) => one.from.localeCompare(other.from))).toEqual([
      { limit: perAccount, from: expect.stringMatching(/^2001:db8/), until_millis: aTime },
      { limit: perAccount, from: '203.0.113.7', until_millis: aTime },
    ]);
    const until = Number(items[0]?.until_millis);
    expect(until).toBeGreaterThan(Date.now());
    expect(until).toBeLessThanOrEqual(Date.now() + rateLimits[perAccount].windowMs);
  });

  test('have wrong passwords of the signed-in user, and the block of all unknown networks', async () => {
    const body = { old_password: 'a wrong password', new_password: 'another password' };
    const { accessToken } = ada;
    for (let count = 0; count < points; count++) {
      await server.call('POST /auth/password/update', { project, accessToken, body, peerAddress: '203.0.113.9' });
    }
    const key = `failedSignInsFromUnknownBlocks:${project.id}:${ada.email}`;
    await server.deps.db.query(sql`
      insert into rate_limits (key, points, expire) values (${key}, 100, ${Date.now() + 60_000})
      on conflict (key) do update set points = excluded.points, expire = excluded.expire
    `);
    const ofBlock = { limit: perAccount, from: '203.0.113.9', until_millis: aTime };
    const ofAll = { limit: 'failedSignInsFromUnknownBlocks', from: null, until_millis: aTime };
    // The id of the user and the address have a counter each.
    expect(await read()).toEqual(listed(ofBlock, ofBlock, ofAll));
  });

  test('do not have the counters of an address that begins with the address of the user, or of another project', async () => {
    const other = await server.make.project();
    const expire = Date.now() + 60_000;
    for (const key of [
      `${perAccount}:${project.id}:${ada.email}.example:203.0.113.7`,
      `${perAccount}:${other.id}:${ada.email}:203.0.113.7`,
    ]) {
      await server.deps.db.query(sql`insert into rate_limits (key, points, expire) values (${key}, 10, ${expire})`);
    }
    expect(await read()).toEqual(listed());
  });

  test('are read with an index', async () => {
    let planned: Statement | undefined;
    const recorder = {
      query: async (statement: Statement) => {
        planned = statement;
        return [];
      },
    };
    const counters = failedSignInCounters({ id: project.id, config: { limits: {} } }, [ada.userId, ada.email]);
    await selectSignInBlocks(recorder, counters);
    if (planned === undefined) throw new Error('no statement');
    const { values } = planned;
    const text = `explain ${planned.text}`;
    const plan = await server.deps.db.begin(async tx => {
      await tx.query(sql`set local enable_seqscan = off`);
      return tx.query(new Statement(undefined, text, values, [text], []));
    });
    const indexes = [...JSON.stringify(plan).matchAll(/using (\w+)/g)].map(([, name]) => name);
    expect(indexes.sort()).toEqual(['rate_limits_of_failed_sign_ins', 'rate_limits_pkey']);
  });
});

describe('an admin who allows sign-ins again', () => {
  test('lets the user in at once, from every network', async () => {
    await lockOut();
    await lockOut({ peerAddress: '203.0.113.8' });
    expect(await allow()).toEqual(success);
    expect(await read()).toEqual(listed());
    const { email, password } = ada;
    for (const peerAddress of ['203.0.113.7', '203.0.113.8']) {
      const body = { email, password };
      expect(await server.call('POST /auth/password/sign-in', { project, body, peerAddress })).toMatchObject({
        status: 200,
      });
    }
  });

  test('lets the user in at the other processes within a second', async () => {
    await lockOut({ at: beside });
    await allow();
    await expect.poll(async () => (await guess({ at: beside })).status).toBe(400);
  });

  test('control 97: is recorded in the audit log with the user, once', async () => {
    await lockOut();
    await allow();
    await allow();
    const query = { action: 'user.sign_in_allowed' };
    const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    expect(json).toMatchObject({ items: [{ user_id: ada.userId, actor: { type: 'admin_key' } }] });
    expect(z.object({ items: z.array(z.unknown()) }).parse(json).items).toHaveLength(1);
  });

  test('allows no further guesses at another account', async () => {
    await lockOut();
    await lockOut({ email: 'unknown@example.com', peerAddress: '203.0.113.8' });
    await allow();
    expect((await guess({ email: 'unknown@example.com', peerAddress: '203.0.113.8' })).status).toBe(429);
  });
});

test.each(['GET', 'DELETE'] as const)('%s of the sign-in blocks of a user who does not exist is 404', async method => {
  const answer = await server.call(`${method} ${route}`, asAdmin('11111111-1111-4111-8111-111111111111'));
  expect(outcome(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
});
