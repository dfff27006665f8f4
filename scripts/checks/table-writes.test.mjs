// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source texts with SQL templates.
import { expect, test } from 'vitest';
import { findForeignWrites } from './table-writes.mjs';

const path = file => `packages/server/src/${file}`;

function check(file, text) {
  return findForeignWrites(new Map([[path(file), text]])).map(({ line, message }) => `${line} ${message}`);
}

test.each([
  ['the owner in its store', 'features/teams/store.ts', 'sql`insert into teams (id) values (${id})`'],
  ['the owner in a named store', 'features/accounts/users/factors/factors-store.ts', 'sql`update users set a = 1`'],
  ['the owner in a part of its folder', 'features/teams/memberships/store.ts', 'sql`delete from team_memberships`'],
  ['the owner in its purge rules', 'features/sessions/purge.ts', 'const rule = { table: sql`sessions` };'],
  ['the platform outside a store', 'platform/rate-limits/count.ts', 'sql`insert into rate_limits (key) values (1)`'],
  ['a join that reads another table', 'features/teams/store.ts', 'sql`select 1 from teams t join users u on true`'],
  ['a lock of another table', 'features/teams/store.ts', 'sql`select 1 from users u for no key update of u`'],
  ['an upsert', 'features/images/store.ts', 'sql`insert into images (id) values (1) on conflict do update set a = 1`'],
  ['a name in a comment of SQL', 'features/teams/store.ts', 'sql`select 1 -- before the update users wait\n`'],
  ['prose in a string', 'features/teams/rules.ts', "refuse(403, 'A client cannot update users here.')"],
  ['a test', 'features/teams/teams.test.ts', 'sql`delete from users`'],
  ['fixtures', 'features/teams/scene.fixtures.ts', 'sql`delete from users`'],
  ['the purge, which the rules of owners call', 'platform/database/purge.ts', 'sql`delete from ${table}`'],
])('allowed: %s', (_, file, text) => {
  expect(check(file, text)).toEqual([]);
});

const foreign = 'writes users of features/accounts/users; call a function of the owner';

test.each([
  ['an insert', 'features/teams/store.ts', 'sql`insert into users (id) values (1)`', foreign],
  ['an update', 'features/teams/store.ts', 'sql`update users u set a = 1`', foreign],
  ['a delete', 'features/teams/store.ts', 'sql`delete from users where id = ${id}`', foreign],
  ['a delete of one table', 'features/teams/store.ts', 'sql`delete from only users`', foreign],
  [
    'a merge',
    'features/teams/store.ts',
    'sql`merge into users u using teams t on true when matched then delete`',
    foreign,
  ],
  ['a truncate', 'features/teams/store.ts', 'sql`truncate table users`', foreign],
  ['upper case', 'features/teams/store.ts', 'sql`DELETE FROM users`', foreign],
  [
    'a write in a common table expression',
    'features/teams/store.ts',
    'sql`with a as (update users set b = 1) select 1`',
    foreign,
  ],
  ['a write that returns columns', 'features/teams/store.ts', 'sql`delete from users returning ${columns}`', foreign],
  ['a string that a query takes', 'platform/queue/queue-schema.ts', "client.query('delete from users')", foreign],
  [
    'a named statement',
    'platform/queue/lane/lane-store.ts',
    "pool.query({ name: 'end', text: 'delete from users' })",
    foreign,
  ],
  [
    'a named statement in a constant',
    'platform/queue/lane/lane-store.ts',
    "const end = 'delete from users'; pool.query({ name: 'end', text: end })",
    foreign,
  ],
  ['a purge rule of another table', 'features/teams/purge.ts', 'const rule = { table: sql`users` };', foreign],
  [
    'the owner outside a store',
    'features/teams/routes.ts',
    'sql`delete from teams`',
    'writes teams outside a store; only store.ts, *-store.ts and purge.ts write tables',
  ],
  [
    'a table without an owner',
    'features/teams/store.ts',
    'sql`delete from team_badges`',
    'writes team_badges, which has no row in scripts/checks/table-owners.mjs',
  ],
  [
    'a table that is a value',
    'features/teams/store.ts',
    'sql`delete from ${table}`',
    'writes a table that is a value; name the table',
  ],
])('refused: %s', (_, file, text, message) => {
  expect(check(file, text)).toEqual([`1 ${message}`]);
});

test('the line of a write inside a long statement is reported', () => {
  expect(check('features/teams/store.ts', 'const a = 1;\nsql`\n  select 1\n  from (update users set b = 1)`')).toEqual([
    `4 ${foreign}`,
  ]);
});

test('a migration that creates a table without an owner is found', () => {
  const text = 'create table teams (\n);\ncreate table team_badges (\n);\n';
  expect(check('migrations/0001-teams.sql', text)).toEqual([
    '3 creates team_badges, which has no row in scripts/checks/table-owners.mjs',
  ]);
});
