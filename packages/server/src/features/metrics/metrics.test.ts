import { randomUUID } from 'node:crypto';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { allWork } from '../../compose.ts';
import { sql } from '../../platform/database/sql.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';
import { metricsTask } from './rollup.ts';

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

const dayMs = 24 * 3600 * 1000;
const browser = { 'user-agent': 'Mozilla/5.0', 'x-forwarded-for': '203.0.113.7' };

const day = z.strictObject({ date: z.string(), activity: z.number() });
const shape = z.strictObject({
  total_users: z.number(),
  daily_users: z.array(day),
  daily_active_users: z.array(day),
  users_by_country: z.record(z.string(), z.number()),
  recently_registered: z.array(z.looseObject({ id: z.string() })),
  recently_active: z.array(z.looseObject({ id: z.string() })),
  login_methods: z.array(z.strictObject({ method: z.string(), count: z.number() })),
});

async function metrics() {
  const answer = await server.call('GET /internal/metrics', { project, level: 'admin' });
  expect(answer.status).toBe(200);
  return shape.parse(answer.json);
}

/** Runs the rollup job. An event becomes safe to roll up at the third run. */
async function rollUp(times = 1): Promise<void> {
  for (let done = 0; done < times; done++) await allWork(server.deps).tasks[metricsTask]?.({});
}

/** The days with activity. */
const busy = (days: readonly z.infer<typeof day>[]) => days.filter(({ activity }) => activity > 0);
const dateOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);
const today = () => dateOf(server.clock.now());

async function refresh(refreshToken: string, country?: string): Promise<void> {
  const headers = country === undefined ? browser : { ...browser, 'cf-ipcountry': country };
  await server.call('POST /auth/sessions/current/refresh', { project, refreshToken, headers });
}

test('metrics of a project without users are zero and empty', async () => {
  const { daily_users, daily_active_users, ...rest } = await metrics();
  expect(rest).toEqual({
    total_users: 0,
    users_by_country: {},
    recently_registered: [],
    recently_active: [],
    login_methods: [],
  });
  const start = server.clock.now() - 30 * dayMs;
  const zeros = Array.from({ length: 31 }, (_, index) => ({ date: dateOf(start + index * dayMs), activity: 0 }));
  expect(daily_users).toEqual(zeros);
  expect(daily_active_users).toEqual(zeros);
});

/** Every number must be equal before, during and after the rollup. */
describe.each([0, 1, 2, 3, 5])('after %i rollup runs', runs => {
  test('existing users are counted by sign-up day', async () => {
    await scene.person();
    await rollUp(runs);
    server.clock.advance(dayMs);
    const [second] = [await scene.person(), await scene.person(), await scene.person()];
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: second.id } });
    await rollUp(runs);
    const { total_users, daily_users } = await metrics();
    expect(total_users).toBe(3);
    expect(busy(daily_users)).toEqual([
      { date: dateOf(server.clock.now() - dayMs), activity: 1 },
      { date: today(), activity: 2 },
    ]);
    expect(daily_users.at(-1)?.date).toBe(today());
  });

  test('active users are counted once a day, including deleted users', async () => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    await refresh(ada.refreshToken);
    await rollUp(runs);
    await refresh(ada.refreshToken);
    server.clock.advance(dayMs);
    await refresh(bob.refreshToken);
    await rollUp(runs);
    await refresh(bob.refreshToken);
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: bob.id } });
    expect(busy((await metrics()).daily_active_users)).toEqual([
      { date: dateOf(server.clock.now() - dayMs), activity: 2 },
      { date: today(), activity: 1 },
    ]);
    server.clock.advance(30 * dayMs);
    await rollUp(runs);
    expect(busy((await metrics()).daily_active_users)).toEqual([
      { date: dateOf(server.clock.now() - 30 * dayMs), activity: 1 },
    ]);
  });

  test('a user who is impersonated is not counted as active', async () => {
    const ada = await scene.person();
    server.clock.advance(dayMs);
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    await refresh(impersonation.refreshToken, 'FR');
    await rollUp(runs);
    const { daily_active_users, users_by_country } = await metrics();
    expect(busy(daily_active_users)).toEqual([{ date: dateOf(server.clock.now() - dayMs), activity: 1 }]);
    expect(users_by_country).toEqual({});
  });

  test('users are counted in the country of their latest activity with a known country', async () => {
    const [ada, bob, eve] = [await scene.person(), await scene.person(), await scene.person()];
    await refresh(ada.refreshToken, 'DE');
    await refresh(bob.refreshToken, 'DE');
    await rollUp(runs);
    server.clock.advance(1);
    await refresh(ada.refreshToken, 'FR');
    server.clock.advance(1);
    await refresh(ada.refreshToken);
    await refresh(eve.refreshToken);
    await rollUp(runs);
    expect((await metrics()).users_by_country).toEqual({ DE: 1, FR: 1 });
    server.clock.advance(1);
    await refresh(bob.refreshToken, 'FR');
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: ada.id } });
    await rollUp(runs);
    expect((await metrics()).users_by_country).toEqual({ FR: 2 });
  });

  test('the five latest users are listed, without deleted users', async () => {
    const people: Person[] = [];
    for (let made = 0; made < 7; made++) {
      people.push(await scene.person());
      server.clock.advance(1);
    }
    await rollUp(runs);
    await refresh(people[0]?.refreshToken ?? '');
    server.clock.advance(1);
    await refresh(people[3]?.refreshToken ?? '');
    await rollUp(runs);
    const shown = await metrics();
    const ids = (...order: number[]) => order.map(index => people[index]?.id);
    expect(shown.recently_registered.map(({ id }) => id)).toEqual(ids(6, 5, 4, 3, 2));
    expect(shown.recently_active.map(({ id }) => id)).toEqual(ids(3, 0, 6, 5, 4));
    await server.call('DELETE /users/{user_id}', {
      project,
      level: 'server',
      params: { user_id: people[3]?.id ?? '' },
    });
    await rollUp(runs);
    expect((await metrics()).recently_active.map(({ id }) => id)).toEqual(ids(0, 6, 5, 4));
  });

  test('sign-in methods are counted while they exist', async () => {
    const { id } = await scene.person({ primary_email: scene.address(), password: 'correct horse' });
    await scene.person({ primary_email: scene.address(), password: 'correct horse', otp_auth_enabled: true });
    await rollUp(runs);
    const patch = (body: object) =>
      server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id: id }, body });
    await patch({ otp_auth_enabled: true });
    await patch({ password: null });
    await patch({ display_name: 'Ada' });
    await server.deps.db.query(sql`
      insert into oauth_accounts (project_id, provider_id, account_id, user_id, created_at_millis)
      values (${project.id}, 'github', '1', ${id}, 0)
    `);
    await rollUp(runs);
    const methods = async () => new Map((await metrics()).login_methods.map(({ method, count }) => [method, count]));
    expect(await methods()).toEqual(
      new Map([
        ['password', 1],
        ['otp', 2],
        ['github', 1],
      ]),
    );
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: id } });
    await rollUp(runs);
    expect(await methods()).toEqual(
      new Map([
        ['password', 1],
        ['otp', 1],
      ]),
    );
  });
});

test('metrics exclude users of other projects', async () => {
  const other = await openScene(server);
  const ada = await other.person({ primary_email: scene.address(), password: 'correct horse' });
  await other.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken, headers: browser });
  await rollUp(3);
  expect(await metrics()).toMatchObject({
    total_users: 0,
    users_by_country: {},
    recently_active: [],
    login_methods: [],
  });
});

describe('activity of a long transaction', () => {
  async function insertActivity(tx: Pick<TestServer['deps']['db'], 'query'>, userId: string): Promise<void> {
    await tx.query(sql`
      insert into events (project_id, kind, user_id, session_id, at_millis)
      values (${project.id}, 'activity', ${userId}, ${randomUUID()}, ${server.clock.now()})
    `);
  }

  const leftOver = () =>
    server.deps.db.query(sql`
      select count(*) as count from events
      where project_id = ${project.id} and id > (select added_up_id from metric_progress)
    `);

  test('is counted although later activity was rolled up first', async () => {
    const { db } = server.deps;
    await db.begin(async slow => {
      await insertActivity(slow, randomUUID());
      await insertActivity(db, randomUUID());
      await rollUp(5);
    });
    expect(busy((await metrics()).daily_active_users)).toEqual([{ date: today(), activity: 2 }]);
    // Transactions of other databases in the cluster delay the rollup, too.
    await vi.waitFor(async () => {
      await rollUp();
      expect(await leftOver()).toEqual([{ count: 0 }]);
    }, 10_000);
    expect(busy((await metrics()).daily_active_users)).toEqual([{ date: today(), activity: 2 }]);
  });
});

describe('after a long pause of the rollup', () => {
  const [pieces, eventsPerPiece] = [5, 50_000];

  /** Inserts events of past days and one event of today. */
  async function fallBehind(): Promise<void> {
    const { db } = server.deps;
    for (let piece = 0; piece < pieces; piece++) {
      await db.query(sql`
        insert into events (project_id, kind, user_id, session_id, at_millis)
        select
          ${project.id}, 'activity', md5((number % 1000)::text)::uuid, md5('session')::uuid,
          ${server.clock.now()}::bigint - (1 + number % 3) * ${dayMs}::bigint
        from generate_series(1, ${eventsPerPiece}) number
      `);
    }
    const ada = await scene.person();
    await refresh(ada.refreshToken);
  }

  const waiting = () =>
    server.deps.db.query(sql`
      select task_identifier as task, queue_name as queue from graphile_worker.jobs
      where task_identifier like 'metrics%'
    `);

  test('each run rolls up a part, and the count of today is always exact', async () => {
    await rollUp(3);
    await fallBehind();
    const now = async () => (await metrics()).daily_active_users.at(-1);
    expect(await now()).toEqual({ date: today(), activity: 1 });
    await vi.waitFor(async () => {
      await rollUp();
      expect(await waiting()).toEqual([{ task: 'metrics_catch_up', queue: 'cron metrics' }]);
    }, 20_000);
    expect(await now()).toEqual({ date: today(), activity: 1 });
    await rollUp();
    expect(await waiting()).toHaveLength(1);
    await runDueJobs(server);
    expect(await waiting()).toEqual([]);
    const activity = [3, 2, 1].map(days => ({ date: dateOf(server.clock.now() - days * dayMs), activity: 1000 }));
    expect(busy((await metrics()).daily_active_users)).toEqual([...activity, { date: today(), activity: 1 }]);
  }, 60_000);
});

test('concurrent sign-ups do not wait for a shared counter row', async () => {
  const { db } = server.deps;
  const insert = sql`insert into users (project_id, id, signed_up_at_millis) values (${project.id}, ${randomUUID()}, 0)`;
  await db.begin(async tx => {
    await tx.query(insert);
    await scene.person();
  });
  expect((await metrics()).total_users).toBe(2);
});

test('metrics require level admin and refuse query parameters', async () => {
  const answer = await server.call('GET /internal/metrics', { project, level: 'server' });
  expect(answer.headers.get('x-stack-known-error')).toBe('INSUFFICIENT_ACCESS_TYPE');
});

const historyShape = z.strictObject({
  days: z.array(z.strictObject({ date: z.string(), sign_ups: z.number(), active_users: z.number() })),
  months: z.array(z.strictObject({ month: z.string(), active_users: z.number().nullable() })),
});

async function history(days?: number) {
  const query = days === undefined ? {} : { days: String(days) };
  const answer = await server.call('GET /internal/extensions/metrics-history', { project, level: 'admin', query });
  expect(answer.status).toBe(200);
  return historyShape.parse(answer.json);
}

describe.each([0, 3, 4])('the history after %i rollup runs', runs => {
  test('counts each user once in every month with activity, and lists days of a year', async () => {
    const start = Date.UTC(new Date(server.clock.now()).getUTCFullYear() + 1, 0, 30);
    server.clock.advance(start - server.clock.now());
    const [ada, bob] = [await scene.person(), await scene.person()];
    for (const person of [ada, ada, bob]) await refresh(person.refreshToken);
    await rollUp(runs);
    server.clock.advance(dayMs);
    await refresh(ada.refreshToken);
    server.clock.advance(dayMs);
    await refresh(ada.refreshToken);
    await rollUp(runs);
    await refresh(ada.refreshToken);
    const { days, months } = await history();
    const year = new Date(start).getUTCFullYear();
    expect(months).toHaveLength(12);
    expect(months.slice(-3)).toEqual([
      { month: `${year - 1}-12`, active_users: 0 },
      { month: `${year}-01`, active_users: 2 },
      { month: `${year}-02`, active_users: 1 },
    ]);
    expect(days).toHaveLength(366);
    expect(days.slice(-3)).toEqual([
      { date: `${year}-01-30`, sign_ups: 2, active_users: 2 },
      { date: `${year}-01-31`, sign_ups: 0, active_users: 1 },
      { date: `${year}-02-01`, sign_ups: 0, active_users: 1 },
    ]);
    expect((await history(2)).days).toEqual(days.slice(-2));
  });
});

test('a month with active days from before the count of months has no number, and another project sees nothing', async () => {
  const now = new Date(server.clock.now());
  const earlier = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 10);
  await server.deps.db.query(sql`
    insert into metric_counts (project_id, kind, key, value)
    values (${project.id}, 'active', ${String(Math.floor(earlier / dayMs))}, 7)
  `);
  expect((await history()).months.slice(-3).map(month => month.active_users)).toEqual([null, 0, 0]);
  project = (await openScene(server)).project;
  expect(new Set((await history()).days.map(({ active_users }) => active_users))).toEqual(new Set([0]));
});
