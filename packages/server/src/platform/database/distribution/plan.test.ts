import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placements } from './placement.ts';
import { citusRules, findViolations } from './plan.fixtures.ts';
import { formatDistribution, planDistribution } from './plan.ts';

const distributed = new Map(
  [...placements].flatMap(([table, placement]) =>
    placement.kind === 'distributed' ? [[table, placement.column]] : [],
  ),
);
/** The foreign keys that the plan drops. */
const droppedForeignKeys = [
  'project_members_account of project_members does not join project_id and project_id',
  'users_selected_team of users sets a column to null',
];
const script = formatDistribution(planDistribution());

let plain: TestDatabase;
let placed: TestDatabase;
beforeAll(async () => {
  [plain, placed] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await placed.query(citusRules);
  await placed.query(script);
});
afterAll(() => Promise.all([plain.drop(), placed.drop()]));

test('every table of the schema has a placement', async () => {
  const tables = await plain.query(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...placements.keys()].sort());
});

test('the distribution column is in every unique index and foreign key, except for the keys that the plan drops', async () => {
  expect(await findViolations(plain, distributed)).toEqual(droppedForeignKeys);
});

test('after the plan no constraint contradicts the placement', async () => {
  expect(await findViolations(placed, distributed)).toEqual([]);
});

test.each([
  ['create unique index wrong on users (display_name)', 'wrong of users is unique without project_id'],
  ['alter table teams add column owner uuid unique', 'teams_owner_key of teams is unique without project_id'],
  [
    'alter table installation add constraint wrong foreign key (demo_project_id) references projects (id)',
    'wrong of installation does not join a distributed table and id',
  ],
  [
    'alter table sessions add column of text references projects (id)',
    'sessions_of_fkey of sessions does not join project_id and id',
  ],
  ['alter table users alter column project_id drop not null', 'users has no required text column project_id'],
])('a schema that cannot be distributed is found: %s', async (change, problem) => {
  const changed = await createTestDatabase();
  try {
    if (change.includes('drop not null')) await changed.query('alter table users drop constraint users_pkey cascade');
    await changed.query(change);
    expect(await findViolations(changed, distributed)).toContain(problem);
  } finally {
    await changed.drop();
  }
});

test('the plan distributes each table once, and a table after those that it refers to', async () => {
  const tables = await placed.query('select relation::text as name from distributed');
  expect(tables.map(({ name }) => name).sort()).toEqual([...distributed.keys()].sort());
});

test('the script names the release and fails without Citus before it changes anything', async () => {
  expect(script).toMatch(/^-- Distribution of the Tessera schema .* release \d+\.\d+\.\d+\.\n/);
  const other = await createTestDatabase();
  try {
    await expect(other.query(script)).rejects.toThrow('function citus_version() does not exist');
  } finally {
    await other.drop();
  }
});

const user = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';
const team = '00000000-0000-4000-8000-000000000003';
const session = '00000000-0000-4000-8000-000000000004';
const writes = [
  `insert into projects (id, display_name, config, created_at_millis) values ('p', 'P', '{}', 1)`,
  `insert into users (project_id, id, signed_up_at_millis, password_hash, has_passkey)
   values ('p', '${user}', 86400000, 'x', false), ('p', '${other}', 5, null, true)`,
  `update users set password_hash = null, otp_auth_enabled = true where id = '${user}'`,
  `insert into oauth_accounts (project_id, provider_id, account_id, user_id, created_at_millis)
   values ('p', 'github', 'a', '${user}', 1), ('p', 'github', 'b', '${other}', 1)`,
  `insert into teams (project_id, id, display_name, created_at_millis) values ('p', '${team}', 'T', 1)`,
  `insert into team_memberships (project_id, team_id, user_id, created_at_millis) values ('p', '${team}', '${user}', 1)`,
  `update users set selected_team_id = '${team}' where id = '${user}'`,
  `insert into sessions (project_id, id, user_id, refresh_token_hash, created_at_millis, expires_at_millis)
   values ('p', '${session}', '${user}', '\\x01', 1, 9000000000000)`,
  `insert into contact_channels (project_id, id, user_id, type, value, is_primary, created_at_millis)
   values ('p', gen_random_uuid(), '${user}', 'email', 'ada@example.com', true, 1)`,
  `delete from teams`,
  `delete from users where id = '${other}'`,
  `delete from sessions`,
];
const observed = {
  counters: `select kind, key, sum(change)::int as change from metric_changes group by kind, key
    having sum(change) <> 0 order by kind, key`,
  sessions: 'select session_id from ended_sessions',
  users: 'select primary_email, selected_team_id from users',
};

test('the triggers of the plan count users and methods, record ended sessions and clear selected teams as before', async () => {
  for (const statement of writes) await Promise.all([plain.query(statement), placed.query(statement)]);
  for (const statement of Object.values(observed)) {
    expect(await placed.query(statement)).toEqual(await plain.query(statement));
  }
  expect(await placed.query(observed.counters)).toEqual([
    { kind: 'method', key: 'github', change: 1 },
    { kind: 'method', key: 'otp', change: 1 },
    { kind: 'sign_ups', key: '1', change: 1 },
    { kind: 'users', key: '', change: 1 },
  ]);
  expect(await placed.query(observed.sessions)).toEqual([{ session_id: session }]);
  expect(await placed.query(observed.users)).toEqual([{ primary_email: 'ada@example.com', selected_team_id: null }]);
});
