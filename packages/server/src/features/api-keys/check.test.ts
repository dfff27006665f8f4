import { randomUUID } from 'node:crypto';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, openScene, type Person, type Scene } from '../teams/scene.fixtures.ts';
import { check, keysOn, masked, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let teamId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, keysOn);
  ada = await scene.person();
  teamId = await scene.team(ada);
});

const notFound = { status: 404, code: 'API_KEY_NOT_FOUND' };
const revoked = { status: 401, code: 'API_KEY_REVOKED' };
const expired = { status: 401, code: 'API_KEY_EXPIRED' };
const wrongType = (expected_type: string, actual_type: string) => ({
  status: 400,
  code: 'WRONG_API_KEY_TYPE',
  details: { expected_type, actual_type },
});
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const sentence = (status: number) => ({ status, says: 'a sentence' });
const revoke = (kind: 'user' | 'team', id: string) =>
  scene.call(`PATCH /${kind}-api-keys/{id}`, {
    level: 'server',
    params: { id },
    query: kind === 'team' ? { team_id: teamId } : {},
    body: { revoked: true },
  });

describe.each(['user', 'team'] as const)('POST /%s-api-keys/check', kind => {
  const other = kind === 'user' ? 'team' : 'user';
  const make = (ofKind: 'user' | 'team', fields: object = {}) =>
    ofKind === 'user' ? userKey(scene, ada, fields) : teamKey(scene, teamId, fields);

  test.each(['server', 'admin'] as const)('level %s: returns a valid key with its owner', async level => {
    const { id, value } = await make(kind, { is_public: true, expires_at_millis: server.clock.now() + 1 });
    expect(await check(scene, kind, value, { level })).toEqual({
      status: 200,
      body: {
        id,
        description: 'A key',
        type: kind,
        ...(kind === 'user' ? { user_id: ada.id } : { team_id: teamId }),
        is_public: true,
        created_at_millis: server.clock.now(),
        expires_at_millis: server.clock.now() + 1,
        value: { last_four: value.slice(-4) },
      },
    });
  });

  test('only the exact key is accepted', async () => {
    const { id, value } = await make(kind);
    for (const text of ['', ' ', id, value.slice(0, -1), `${value} `, value.toUpperCase(), `x${value}`, '%', '_']) {
      expect(await check(scene, kind, text)).toEqual(notFound);
    }
    expect(await check(scene, kind, 'x'.repeat(100_000))).toEqual(notFound);
  });

  test('concurrent checks each return their own key', async () => {
    const elsewhere = await openScene(server, keysOn);
    const keys = await Promise.all(Array.from({ length: 5 }, () => make(kind)));
    const presented = keys.flatMap(({ value }) => [
      check(scene, kind, value),
      check(elsewhere, kind, value),
      check(scene, kind, `${value}0`),
    ]);
    const valid = ({ id }: { id: string }) => ({ status: 200, body: expect.objectContaining({ id }) });
    expect(await Promise.all(presented)).toEqual(keys.flatMap(key => [valid(key), notFound, notFound]));
  });

  test('refusals have the order unknown, other kind, revoked, expired', async () => {
    const past = { expires_at_millis: server.clock.now() };
    const [late, dead, foreign] = [await make(kind, past), await make(kind, past), await make(other, past)];
    await revoke(kind, dead.id);
    await revoke(other, foreign.id);
    expect(await check(scene, kind, late.value)).toEqual(expired);
    expect(await check(scene, kind, dead.value)).toEqual(revoked);
    expect(await check(scene, kind, foreign.value)).toEqual(wrongType(kind, other));
    expect(await check(scene, kind, `${foreign.value}0`)).toEqual(notFound);
  });

  test('control 93: expiry and revocation take effect at once', async () => {
    const { value } = await make(kind, { expires_at_millis: server.clock.now() + 1_000 });
    expect(await check(scene, kind, value)).toMatchObject({ status: 200 });
    server.clock.advance(1_000);
    expect(await check(scene, kind, value)).toEqual(expired);
    const good = await make(kind);
    await revoke(kind, good.id);
    expect(await check(scene, kind, good.value)).toEqual(revoked);
  });

  test('a client is refused', async () => {
    const { value } = await make(kind);
    const insufficient = {
      status: 401,
      code: 'INSUFFICIENT_ACCESS_TYPE',
      details: { actual_access_type: 'client', allowed_access_types: ['server', 'admin'] },
    };
    expect(await check(scene, kind, value, { level: 'client', ...as(ada) })).toEqual(insufficient);
  });

  test.each([undefined, null, {}, ['a']])('the key %j is refused with SCHEMA_ERROR', async value => {
    expect(await check(scene, kind, value)).toEqual(invalid);
  });

  test('control 90: a body with anything besides the key is refused', async () => {
    expect(await check(scene, kind, 'a', { body: { api_key: 'a', user_id: ada.id } })).toEqual(invalid);
  });

  test('control 92: a key of another project is unknown', async () => {
    const { value } = await make(kind);
    const { project } = await openScene(server, keysOn);
    expect(await check(scene, kind, value, { project })).toEqual(notFound);
    expect(await check(scene, other, value, { project })).toEqual(notFound);
  });

  test('while a kind of keys is switched off, all its endpoints refuse, and the keys are kept', async () => {
    const { id, value } = await make(kind);
    const switchedOff = async (isOff: boolean) => {
      const key = kind === 'user' ? 'allowUserApiKeys' : 'allowTeamApiKeys';
      const config = { clientTeamCreationEnabled: true, ...keysOn, ...(isOff ? { [key]: false } : {}) };
      await server.deps.db.query(
        sql`update projects set config = ${JSON.stringify(config)} where id = ${scene.project.id}`,
      );
    };
    await switchedOff(true);
    // The cache of the new server is empty, so it reads the switch.
    const beside = await openTestServer({ beside: server });
    const owner: Record<string, string> = kind === 'user' ? { user_id: ada.id } : { team_id: teamId };
    const wanted = { project: scene.project, level: 'server', params: { id } } as const;
    const query = { query: owner };
    const answers = [
      await beside.call(`POST /${kind}-api-keys`, {
        ...wanted,
        body: { description: '', expires_at_millis: null, ...owner },
      }),
      await beside.call(`GET /${kind}-api-keys`, { ...wanted, ...query }),
      await beside.call(`GET /${kind}-api-keys/{id}`, { ...wanted, ...query }),
      await beside.call(`PATCH /${kind}-api-keys/{id}`, { ...wanted, ...query, body: { revoked: true } }),
      await beside.call(`POST /${kind}-api-keys/check`, { ...wanted, body: { api_key: value } }),
      await beside.call(`GET /${kind}-api-keys`, { ...wanted, ...query, level: 'client' }),
    ];
    const ofOther = await make(other);
    const untouched = await beside.call(`POST /${other}-api-keys/check`, {
      ...wanted,
      body: { api_key: ofOther.value },
    });
    await beside.close();
    await switchedOff(false);
    const outcomes = answers.map(({ status, headers }) => [status, headers.get('x-stack-known-error')]);
    expect(outcomes).toEqual(Array(6).fill([400, null]));
    expect(untouched.status).toBe(200);
    expect(await check(scene, kind, value)).toMatchObject({ status: 200, body: { id, value: masked } });
  });
});

describe('control 93: the last use of a key', () => {
  const usage = (id: string, options = {}) =>
    scene.call('GET /internal/extensions/api-key-usage/{id}', { level: 'admin', params: { id }, ...options });
  const at = (id: string, last_used_at_millis: number | null) => ({ status: 200, body: { id, last_used_at_millis } });

  test('is recorded by a successful check, at most once a minute', async () => {
    const { id, value } = await userKey(scene, ada);
    expect(await usage(id)).toEqual(at(id, null));
    const first = server.clock.now();
    await check(scene, 'user', value);
    expect(await usage(id)).toEqual(at(id, first));
    server.clock.advance(59_999);
    await check(scene, 'user', value);
    expect(await usage(id)).toEqual(at(id, first));
    server.clock.advance(1);
    await check(scene, 'user', value);
    expect(await usage(id)).toEqual(at(id, first + 60_000));
  });

  test('is not recorded by a refused check or a read', async () => {
    const { id, value } = await teamKey(scene, teamId);
    await check(scene, 'user', value);
    await revoke('team', id);
    await check(scene, 'team', value);
    expect(await usage(id)).toEqual(at(id, null));
  });

  test('is visible to admins of the project only', async () => {
    const { id } = await userKey(scene, ada);
    const { project } = await openScene(server, keysOn);
    expect(await usage(id, { project })).toEqual(sentence(404));
    expect(await usage(randomUUID())).toEqual(sentence(404));
    expect(await usage('x')).toEqual(invalid);
    expect(await usage(id, { query: { user_id: ada.id } })).toEqual(invalid);
    for (const level of ['client', 'server'] as const) {
      expect(await usage(id, { level })).toMatchObject({ status: 401, code: 'INSUFFICIENT_ACCESS_TYPE' });
    }
  });
});

describe('control 97: a check of an expired or revoked key', () => {
  const log = async () => {
    const query = { action: 'api_key.refused' };
    const answer = await scene.call('GET /internal/extensions/audit-log', { level: 'admin', query });
    return 'body' in answer ? (answer.body as { items: unknown[] }).items : answer;
  };
  const refusalEvent = (id: string, reason: string, user_id: string | null, at_millis: number) => ({
    id: anId,
    at_millis,
    action: 'api_key.refused',
    actor: { type: 'server_key', id: anId },
    user_id,
    subject: { type: 'api_key', id },
    address: '203.0.113.9',
    user_agent: 'Test/1.0',
    trace_id: expect.stringMatching(/^[0-9a-z]{16}$/),
    details: { reason },
    before: null,
    after: null,
  });
  const from = { peerAddress: '203.0.113.9', headers: { 'user-agent': 'Test/1.0' } };

  test('is in the audit log once an hour, with the reason and the source', async () => {
    const [late, dead] = [await userKey(scene, ada, { expires_at_millis: 1 }), await teamKey(scene, teamId)];
    await revoke('team', dead.id);
    const first = server.clock.now();
    for (let times = 0; times < 3; times++) await check(scene, 'user', late.value, from);
    expect(await log()).toEqual([refusalEvent(late.id, 'API_KEY_EXPIRED', ada.id, first)]);
    server.clock.advance(1);
    await check(scene, 'team', dead.value, from);
    expect(await log()).toEqual([
      refusalEvent(dead.id, 'API_KEY_REVOKED', null, first + 1),
      refusalEvent(late.id, 'API_KEY_EXPIRED', ada.id, first),
    ]);
    server.clock.advance(3_600_000);
    await check(scene, 'user', late.value, from);
    expect(await log()).toHaveLength(3);
  });

  test('is not recorded for an unknown key, a valid key, or a key of the other kind', async () => {
    const [good, late] = [await userKey(scene, ada), await teamKey(scene, teamId, { expires_at_millis: 1 })];
    await check(scene, 'user', good.value);
    await check(scene, 'user', late.value);
    await check(scene, 'user', 'x');
    expect(await log()).toEqual([]);
  });
});

test('control 93: no key and nothing that reveals a key is stored or logged', async () => {
  const { id, value } = await userKey(scene, ada);
  await check(scene, 'user', value);
  const secret = value.slice(3, 48);
  const rows = await server.deps.db.query<{ row: string }>(
    sql`select row_to_json(k)::text as row from api_keys k where project_id = ${scene.project.id} and id = ${id}`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(secret);
  expect(server.logged()).not.toContain(secret);
});

test('control 93: a check is one lookup in the index of hashes', async () => {
  const plan = await transaction(server.deps.db, async tx => {
    // The planner must use the index although the table is small.
    await tx.query(sql`set local enable_seqscan = off`);
    return tx.query<{ 'QUERY PLAN': string }>(
      sql`explain select id from api_keys where secret_hash = ${Buffer.alloc(32)} and project_id = ${scene.project.id}`,
    );
  });
  expect(plan.map(row => row['QUERY PLAN'])).toEqual([
    expect.stringContaining('Index Scan using api_keys_by_secret'),
    expect.stringMatching(/Index Cond: \(\(secret_hash = .* AND \(project_id = /),
  ]);
});
