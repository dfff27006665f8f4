import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { test } from 'vitest';
import { type Statement, sql } from '../../platform/sql.ts';
import { openTestServer } from '../../test/harness.ts';
import { shownDays } from './rules.ts';
import { addUpChanges, addUpEvents, advanceSafeId, selectNumbers } from './store.ts';

test('measure', { timeout: 1_500_000 }, async () => {
  const server = await openTestServer();
  const project = await server.make.project();
  const now = server.clock.now();
  const client = new pg.Client(server.connection);
  await client.connect();
  const out: string[] = [];
  const say = (line: string) => {
    out.push(line);
    writeFileSync('/tmp/measure-metrics.txt', out.join('\n'));
  };
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    say(`${name}: ${(performance.now() - start).toFixed(1)} ms`);
  };
  await client.query(`set synchronous_commit = off`);
  const dropped = (
    await client.query(
      `select indexdef from pg_indexes where tablename in ('events','users') and indexname not like '%_pkey' and indexname <> 'users_by_age'`,
    )
  ).rows.map(row => row.indexdef as string);
  const names = (
    await client.query(
      `select indexname from pg_indexes where tablename in ('events','users') and indexname not like '%_pkey' and indexname <> 'users_by_age'`,
    )
  ).rows.map(row => row.indexname as string);
  for (const name of names) await client.query(`drop index ${name}`);
  await client.query(`set maintenance_work_mem = '256MB'`);
  await timed('1M users', () =>
    client.query(
      `
    insert into users (project_id, id, signed_up_at_millis, password_hash)
    select $1, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2::bigint - 90::bigint * 86400000 * (1000000 - n) / 1000000, case when n % 3 > 0 then 'x' end
    from generate_series(1, 1000000) n`,
      [project.id, now],
    ),
  );
  for (let part = 0; part < 10; part++) {
    await timed('1M events', () =>
      client.query(
        `
      insert into events (project_id, kind, user_id, session_id, at_millis, data)
      select $1, 'activity', ('00000000-0000-4000-8000-' || lpad(to_hex(1 + (n * 7919::bigint) % 1000000), 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad(to_hex(n % 1200000), 12, '0'))::uuid,
        $2::bigint - (31::bigint * 86400000 * (10000000 - n) / 10000000),
        case when n % 2 = 0 then json_build_object('ip', '1.2.3.4', 'countryCode', (array['DE','FR','US','IN','BR'])[1 + n % 5]) end
      from generate_series($3::integer + 1, $3::integer + 1000000) n`,
        [project.id, now, part * 1_000_000],
      ),
    );
  }
  for (const text of dropped.filter(one => one.includes(' events_')))
    await timed(text.slice(0, 60), () => client.query(text));
  await client.query('analyze users');
  await client.query('analyze events');
  await timed('in bulk, as if added up', async () => {
    await client.query(
      `insert into metric_active_days select distinct project_id, (at_millis / 86400000)::integer, user_id from events where id <= (select max(id) - 200000 from events)`,
    );
    await client.query(
      `insert into metric_counts select project_id, 'active', day::text, count(*) from metric_active_days group by 1, 3`,
    );
    await client.query(
      `insert into metric_users select project_id, user_id, max(at_millis), (array_agg(data ->> 'countryCode' order by at_millis desc) filter (where data is not null))[1], max(at_millis) filter (where data is not null) from events where id <= (select max(id) - 200000 from events) group by 1, 2`,
    );
    await client.query(
      `insert into metric_counts select project_id, 'country', country, count(*) from metric_users where country is not null group by 1, 3`,
    );
    await client.query(`update metric_progress set added_up_id = (select max(id) - 200000 from events)`);
  });
  await client.query('analyze');
  for (let i = 0; i < 3; i++) await advanceSafeId(server.deps.db);
  say(JSON.stringify((await client.query('select added_up_id, safe_id from metric_progress')).rows));
  for (let i = 0; i < 10; i++) await timed('a step of 20,000 events', () => addUpEvents(server.deps.db));
  await timed('adding up changes', async () => {
    while (await addUpChanges(server.deps.db));
  });
  await client.query('analyze');
  // A minute's worth that is not added up: 20,000 events.
  await client.query(
    `
      insert into events (project_id, kind, user_id, session_id, at_millis, data)
      select $1, 'activity', ('00000000-0000-4000-8000-' || lpad(to_hex(n * 13), 12, '0'))::uuid, null, $2, json_build_object('countryCode', 'DE')
      from generate_series(1, 20000) n`,
    [project.id, now],
  );
  for (let i = 0; i < 5; i++) {
    await timed('request', async () => {
      const answer = await server.call('GET /internal/metrics', { project, level: 'admin' });
      if (i === 0) say(answer.text.slice(0, 300));
    });
  }
  const fake = {
    query: async (statement: Statement) => {
      const plan = await client.query(`explain (analyze, buffers, costs off) ${statement.text}`, statement.values);
      say(plan.rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n'));
      return [{ counts: [], activeUserIds: [] }];
    },
  };
  await selectNumbers(fake as never, project.id, shownDays(now));
  const sizes = await client.query(
    `select relname, pg_size_pretty(pg_total_relation_size(oid)) size from pg_class where relname in ('events','users','metric_users','metric_active_days','metric_counts','metric_changes')`,
  );
  say(JSON.stringify(sizes.rows));
  await client.query(`insert into metric_changes select $1, 'users', '', 1 from generate_series(1, 5000)`, [
    project.id,
  ]);
  await timed('request with 5,000 changes', () => server.call('GET /internal/metrics', { project, level: 'admin' }));
  void sql;
  await client.end();
  await server.close();
});
