import { randomUUID } from 'node:crypto';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Statement, sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';
import { auditInsert } from './index.ts';

let server: TestServer;
let scene: Scene;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  project = scene.project;
});

const eventSchema = z.looseObject({ id: z.string(), action: z.string(), at_millis: z.number() });
const pageSchema = z.object({
  items: z.array(eventSchema),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

async function page(query: Record<string, string> = {}) {
  const answer = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  return pageSchema.parse(answer.json);
}

/** The actions of one page, oldest first, without key uses. */
async function actions(query: Record<string, string>): Promise<string[]> {
  const { items } = await page(query);
  return items
    .map(({ action }) => action)
    .filter(action => action !== 'key_set.used')
    .reverse();
}

/** Signs a user up, one millisecond after every earlier event. */
async function signUp(): Promise<{ userId: string; accessToken: string }> {
  server.clock.advance(1);
  return server.make.user({ project });
}

describe('the audit log', () => {
  async function fill(count: number): Promise<void> {
    const base = { projectId: project.id, actor: { type: 'system', id: null }, action: 'admin.request' } as const;
    const events = Array.from({ length: count }, (_, index) => ({
      ...base,
      id: randomUUID(),
      details: { index },
      // Several events share one millisecond.
      atMillis: server.clock.now() - Math.floor(index / 3),
    }));
    await server.deps.db.query(auditInsert(events));
  }

  test('pages list each event once, newest first', async () => {
    await fill(25);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = {
        action: 'admin.request',
        limit: '4',
        ...(cursor === null ? {} : { cursor }),
      };
      const { items, pagination } = await page(query);
      expect(items.map(({ at_millis }) => at_millis)).toEqual(
        [...items].map(one => one.at_millis).sort((a, b) => b - a),
      );
      seen.push(...items.map(({ id }) => id));
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
  });

  test('filters by action, actor, user and time', async () => {
    const [ada, bob] = [await signUp(), await signUp()];
    server.clock.advance(1);
    await server.call('DELETE /auth/sessions/current', { project, accessToken: ada.accessToken });
    const now = server.clock.now();
    expect(await actions({ action: 'session.ended' })).toEqual(['session.ended']);
    expect(await actions({ user_id: ada.userId })).toEqual(['sign_in.succeeded', 'session.ended']);
    expect(await actions({ actor_id: bob.userId })).toEqual(['sign_in.succeeded']);
    expect(await actions({ actor_id: ada.userId, action: 'session.ended' })).toEqual(['session.ended']);
    expect(await actions({ from_millis: String(now) })).toEqual(['session.ended']);
    expect(await actions({ from_millis: String(now - 2), to_millis: String(now) })).toEqual([
      'sign_in.succeeded',
      'sign_in.succeeded',
    ]);
  });

  test('a page lists the users of its events and the owners who acted once each, without deleted users', async () => {
    const ada = await server.make.user({ project, email: 'ada@example.com' });
    const bob = await server.make.user({ project, email: 'bob@example.com' });
    const gone = await server.make.user({ project, email: 'gone@example.com' });
    const owner = await server.make.user({ email: 'owner@example.com' });
    const stranger = await server.make.user({ email: 'stranger@example.com' });
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: gone.userId } });
    const base = { projectId: project.id, action: 'admin.request', details: {} } as const;
    const events = [
      { actor: { type: 'owner', id: owner.userId }, userId: ada.userId },
      { actor: { type: 'owner', id: owner.userId }, userId: gone.userId },
      { actor: { type: 'user', id: bob.userId }, userId: stranger.userId },
      { actor: { type: 'admin_key', id: null }, userId: null },
    ] as const;
    const atMillis = server.clock.now();
    await server.deps.db.query(auditInsert(events.map(event => ({ ...base, ...event, id: randomUUID(), atMillis }))));
    const query = { action: 'admin.request', from_millis: String(atMillis) };
    const answer = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    const { users } = z.object({ users: z.array(z.object({ primary_email: z.string() })) }).parse(answer.json);
    expect(users.map(user => user.primary_email).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
      'owner@example.com',
    ]);
  });

  test('the filter by address takes any notation and finds the events of that address only', async () => {
    const base = { projectId: project.id, action: 'admin.request', actor: { type: 'system', id: null } } as const;
    const addresses = ['192.0.2.1', '192.0.2.10', '2001:db8::1'];
    const atMillis = server.clock.now();
    const events = addresses.map(address => {
      const source = { address, userAgent: null, traceId: '0123456789abcdef' };
      return { ...base, id: randomUUID(), atMillis, details: { address }, source };
    });
    await server.deps.db.query(auditInsert(events));
    const found = async (address: string) => (await page({ address })).items.map(({ details }) => details);
    expect(await found('192.0.2.1')).toEqual([{ address: '192.0.2.1' }]);
    expect(await found('::ffff:192.0.2.1')).toEqual([{ address: '192.0.2.1' }]);
    expect(await found('2001:0DB8:0:0:0:0:0:1')).toEqual([{ address: '2001:db8::1' }]);
    expect(await found('198.51.100.7')).toEqual([]);

    const query = { address: '192.0.2' };
    const refused = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    expect(refused.headers.get('x-stack-known-error')).toBe('SCHEMA_ERROR');
  });

  test('the export has one JSON line per event and continues over several pages', async () => {
    await fill(2_300);
    const query = { action: 'admin.request' };
    const options = { project, level: 'admin', query } as const;
    const answer = await server.call('GET /internal/extensions/audit-log/export', options);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map(line => eventSchema.parse(JSON.parse(line)));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(2_300);
    const listed = await page({ ...query, limit: '100' });
    expect(lines.slice(0, 100)).toEqual(listed.items);
  });

  test('the export of an empty result is an empty body', async () => {
    const query = { action: 'project.deleted' };
    const answer = await server.call('GET /internal/extensions/audit-log/export', { project, level: 'admin', query });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test.each([
    [{ action: 'anything' }],
    [{ cursor: 'abc' }],
    [{ cursor: `${'9'.repeat(30)}.00000000-0000-0000-0000-000000000000` }],
    [{ limit: '0' }],
    [{ limit: '1001' }],
    [{ user_id: 'me' }],
    [{ other: 'x' }],
  ])('a query with %o is refused with SCHEMA_ERROR', async query => {
    const answer = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    expect(answer.headers.get('x-stack-known-error')).toBe('SCHEMA_ERROR');
  });

  test('control 97: update, delete and truncate of audit events are refused by the database', async () => {
    await fill(1);
    const { db } = server.deps;
    const refused = 'the audit log is append-only';
    await expect(db.query(sql`update audit_events set action = 'nothing'`)).rejects.toThrow(refused);
    await expect(db.query(sql`delete from audit_events`)).rejects.toThrow(refused);
    await expect(db.query(sql`truncate audit_events`)).rejects.toThrow(refused);
  });

  test('each filter reads an index without a sort', async () => {
    const { db } = server.deps;
    const plan = await db.begin(async tx => {
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local enable_sort = off`);
      const conditions = ["action = 'x'", `user_id = '${ada}'`, `actor_id = '${ada}'`, 'true'];
      const plans: string[] = [];
      for (const condition of conditions) {
        const text = `explain select id from audit_events where project_id = 'p' and ${condition} order by at_millis desc, id desc limit 5`;
        plans.push(JSON.stringify(await tx.query(new Statement(undefined, text, [], [text], []))));
      }
      return plans;
    });
    expect(plan.map(one => /Index[^"]*using (\w+)/.exec(one)?.[1])).toEqual([
      'audit_events_by_action',
      'audit_events_of_user',
      'audit_events_by_actor',
      'audit_events_pkey',
    ]);
    expect(plan.join()).not.toContain('Sort');
  });
});

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
