import { randomUUID } from 'node:crypto';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { allWork, purgeRules } from '../../compose.ts';
import { recordAudit } from '../../features/audit/index.ts';
import { openScene, plainPasswords } from '../../features/sign-in/scene.fixtures.ts';
import { type CodeRequest, createCode } from '../../features/verification-codes/index.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { transaction } from './database.ts';
import { purge, purgeTask } from './purge.ts';
import { Statement, sql } from './sql.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  project = await server.make.project();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.close());

const day = 24 * 3600 * 1000;
const sweep = async () => allWork(server.deps).tasks[purgeTask]?.({});

async function count(table: string, condition = 'true'): Promise<number> {
  const text = `select count(*) as count from ${table} where ${condition}`;
  const [row] = await server.deps.db.query<{ count: number }>(new Statement(undefined, text, [], [text], []));
  return row?.count ?? -1;
}

describe('control 104: the purge deletes expired rows', () => {
  test('a session one day after it expired, with its rotated refresh tokens', async () => {
    const scene = await openScene(server, { rotatesRefreshTokens: true });
    const { id, refreshToken } = await scene.person();
    const { refreshToken: short } = await scene.session(id, { expires_in_millis: 1_000 });
    await scene.call('POST /auth/sessions/current/refresh', { refreshToken: short });
    await sweep();
    expect(await scene.sessionsOf(id)).toBe(2);
    server.clock.advance(1_000 + day - 1);
    await sweep();
    expect(await scene.sessionsOf(id)).toBe(2);
    server.clock.advance(1);
    await sweep();
    expect(await scene.sessionsOf(id)).toBe(1);
    expect(await count('rotated_refresh_tokens')).toBe(0);
    await scene.call('POST /auth/sessions/current/refresh', { refreshToken });
    expect(await count('rotated_refresh_tokens')).toBe(1);
    server.clock.advance(30 * day);
    await sweep();
    expect(await count('rotated_refresh_tokens')).toBe(0);
    expect(await scene.sessionsOf(id)).toBe(1);
  });

  test('failed jobs one month after their last attempt, by the clock of the database', async () => {
    const { db } = server.deps;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * day });
    const add = async (age: string, attempts: number) => {
      const added = sql`select id from graphile_worker.add_job('of no kind', run_at => now() - ${age}::interval)`;
      const [job] = await db.query<{ id: number }>(added);
      await db.query(sql`update graphile_worker._private_jobs set attempts = ${attempts} where id = ${job?.id}`);
    };
    await add('29 days', 25);
    await add('31 days', 25);
    await add('31 days', 24);
    await sweep();
    const left = await db.query(
      sql`select attempts from graphile_worker.jobs where task_identifier = 'of no kind' order by 1`,
    );
    expect(left).toEqual([{ attempts: 24 }, { attempts: 25 }]);
  });

  test('codes one month after they became unusable', async () => {
    const request = { projectId: project.id, kind: 'sign_in', userId: null, address: null, data: {} } as const;
    await transaction(server.deps.db, tx => createCode(tx, request, server.deps));
    server.clock.advance(30 * day);
    await sweep();
    expect(await count('one_time_codes')).toBe(1);
    server.clock.advance(15 * 60_000);
    await sweep();
    expect(await count('one_time_codes')).toBe(0);
  });

  test.each(['passkey_registration', 'passkey_authentication', 'mfa_attempt'] as const)(
    'a challenge of kind %s is deleted one hour after it has expired',
    async kind => {
      const data = kind === 'mfa_attempt' ? { isNewUser: false } : { challenge: 'a challenge' };
      const request = { projectId: project.id, kind, userId: null, address: null, data } as const;
      await transaction(server.deps.db, tx => createCode(tx, request as CodeRequest<typeof kind>, server.deps));
      await sweep();
      expect(await count('one_time_codes', `kind = '${kind}'`)).toBe(1);
      server.clock.advance(3_600_000 + 300_000);
      await sweep();
      expect(await count('one_time_codes', `kind = '${kind}'`)).toBe(0);
    },
  );

  test('CLI logins one day after they expired', async () => {
    await server.call('POST /auth/cli', { project });
    server.clock.advance(day);
    await sweep();
    expect(await count('cli_logins')).toBe(1);
    server.clock.advance(2 * 3600 * 1000);
    await sweep();
    expect(await count('cli_logins')).toBe(0);
  });

  test('a rate-limit counter after its window by the process clock and by the database clock', async () => {
    const { clock, deps } = server;
    const remaining = () => count('rate_limits', "key = 'ahead'");
    const expire = clock.now() + day;
    await deps.db.query(sql`insert into rate_limits (key, points, expire) values ('ahead', 1, ${expire})`);
    vi.useFakeTimers({ toFake: ['Date'], now: expire });
    await sweep();
    expect(await remaining()).toBe(1);
    vi.setSystemTime(expire - 1);
    clock.advance(day);
    await sweep();
    expect(await remaining()).toBe(1);
    vi.setSystemTime(expire);
    await sweep();
    expect(await remaining()).toBe(0);
  });

  test('the rows of every other rule while one rule fails, and the job fails', async () => {
    const { db } = server.deps;
    await server.call('POST /auth/cli', { project });
    server.clock.advance(2 * day);
    await db.query(sql`insert into rate_limits (key, points, expire) values ('behind a failure', 1, 0)`);
    await db.query(sql`
      create function refuse_deletion() returns trigger language plpgsql as
      $$ begin raise exception 'rows of this table may not be deleted'; end $$
    `);
    await db.query(sql`
      create trigger refuse_deletion before delete on cli_logins for each row execute function refuse_deletion()
    `);
    await expect(sweep()).rejects.toThrow('rows of this table may not be deleted');
    expect(await count('rate_limits', "key = 'behind a failure'")).toBe(0);
    await db.query(sql`drop function refuse_deletion() cascade`);
    await sweep();
    expect(await count('cli_logins')).toBe(0);
  });

  test('activity that is older than any session and has been counted', async () => {
    const { db, clock } = server.deps;
    await db.query(sql`
      insert into events (project_id, kind, user_id, at_millis)
      select ${project.id}, 'activity', ${randomUUID()}, age from unnest(${[400 * day, 399 * day].map(age => clock.now() - age)}::bigint[]) age
    `);
    await sweep();
    expect(await count('events', `project_id = '${project.id}'`)).toBe(2);
    await db.query(sql`update metric_progress set added_up_id = (select max(id) from events)`);
    await sweep();
    expect(await count('events', `project_id = '${project.id}'`)).toBe(1);
  });

  test('old activity of every project, also behind an event that a wrong clock dated later', async () => {
    const { db, clock } = server.deps;
    const projects = [await server.make.project(), await server.make.project()];
    for (const { id } of projects) {
      await db.query(sql`
        insert into events (project_id, kind, user_id, at_millis)
        select ${id}, 'activity', ${randomUUID()}, at from unnest(
          ${[clock.now() + 365 * day, clock.now() - 401 * day, clock.now() - 400 * day]}::bigint[]
        ) at
      `);
    }
    await db.query(sql`update metric_progress set added_up_id = (select max(id) from events)`);
    await sweep();
    for (const { id } of projects) expect(await count('events', `project_id = '${id}'`)).toBe(1);
  });

  test('daily active users of past days', async () => {
    const { db, clock } = server.deps;
    const today = Math.floor(clock.now() / day);
    await db.query(sql`
      insert into metric_active_days (project_id, day, user_id)
      select ${project.id}, day, ${randomUUID()} from unnest(${[today, today - 2, today - 3]}::integer[]) day
    `);
    await db.query(sql`update metric_progress set safe_id = added_up_id + 1`);
    await sweep();
    expect(await count('metric_active_days')).toBe(3);
    await db.query(sql`update metric_progress set safe_id = added_up_id`);
    await sweep();
    expect(await count('metric_active_days')).toBe(2);
  });

  test('audit events after the retention time of the project', async () => {
    const lenient = await server.make.project();
    const strict = await server.make.project({ auditRetentionDays: 7 });
    const { db, clock } = server.deps;
    for (const { id: projectId } of [lenient, strict]) {
      for (const age of [6, 8, 364, 366]) {
        const by = { projectId, actor: { type: 'system', id: null } } as const;
        await recordAudit(db, { ...by, action: 'admin.request', atMillis: clock.now() - age * day });
      }
    }
    await sweep();
    const left = (id: string) => count('audit_events', `project_id = '${id}'`);
    expect([await left(lenient.id), await left(strict.id)]).toEqual([3, 1]);
  });

  test('in small batches, each in its own transaction', async () => {
    const { db, clock, log } = server.deps;
    await db.query(sql`
      insert into rate_limits (key, points, expire) select 'many ' || n, 1, 0 from generate_series(1, 2500) n
    `);
    const begun = vi.spyOn(db.longRunning, 'begin');
    const rule = purgeRules.find(({ name }) => name === 'counters of limits');
    await purge(rule === undefined ? [] : [rule], { db, clock, log })({});
    expect(begun).toHaveBeenCalledTimes(3);
    begun.mockRestore();
    expect(await count('rate_limits', "key like 'many %'")).toBe(0);
  });

  test('and a run that reaches its limit is continued until nothing is left', async () => {
    const { db } = server.deps;
    await db.query(sql`
      insert into rate_limits (key, points, expire) select 'many ' || n, 1, 0 from generate_series(1, 50001) n
    `);
    await sweep();
    expect(await count('rate_limits', "key like 'many %'")).toBe(1);
    const waiting = sql`select queue_name as queue from graphile_worker.jobs where task_identifier = ${purgeTask}`;
    expect(await db.query(waiting)).toEqual([{ queue: 'cron purge' }]);
    await runDueJobs(server);
    expect(await count('rate_limits', "key like 'many %'")).toBe(0);
    expect(await db.query(waiting)).toEqual([]);
  });

  test.each(purgeRules.map(rule => [rule.name, rule] as const))('%s: without a scan of all rows', async (_, rule) => {
    const { parts, values } = rule.places(server.clock.now()).spread();
    const text = `explain ${parts.reduce((joined, part, index) => `${joined}$${index}${part}`)} limit 1000`;
    const plan = await server.deps.db.begin(async tx => {
      await tx.query(sql`set local enable_seqscan = off`);
      return tx.query(new Statement(undefined, text, values, parts, values));
    });
    const { table } = rule;
    expect(JSON.stringify(plan)).not.toContain(`Seq Scan on ${table.text}`);
  });
});
