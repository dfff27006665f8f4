import { expect, test } from 'vitest';
import { findContractions } from './contractions.fixtures.ts';
import { readMigrations } from './migrate.ts';
import { releases } from './releases.ts';

/** The last migration before the first release. */
const lastBeforeReleases = 20;

test('every migration leaves a schema on which the previous release runs', async () => {
  const migrations = (await readMigrations()).filter(({ number }) => number > lastBeforeReleases);
  const found = migrations.flatMap(({ name, text }) =>
    findContractions(text, releases.slice(0, -1)).map(problem => `${name} ${problem}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'create table things (id integer not null)',
  'alter table users add column nickname text',
  `alter table users add column nickname text not null default ''`,
  'alter table users alter column nickname drop not null',
  'alter table users drop constraint users_nickname_check',
  '-- outside a transaction\ncreate index concurrently users_nickname on users (nickname)',
  `comment on table users is 'rename; drop table users'`,
  'create function f() returns trigger language plpgsql as $$ begin drop table if exists x; end $$',
  'drop index users_nickname',
])('a migration may expand the schema: %s', text => {
  expect(findContractions(text, [])).toEqual([]);
});

test.each([
  'drop table things',
  'alter table users drop column nickname',
  'alter table users drop nickname',
  'alter table users rename column nickname to display_name',
  'alter table users rename to people',
  'alter table users alter column nickname type bytea',
  'alter table users alter nickname set data type bytea',
  'alter table users alter column nickname set not null',
  'alter table users add column age integer, add column nickname text not null',
  'drop function f()',
])('a migration that contracts the schema is found: %s', text => {
  expect(findContractions(`select 1; ${text};`, [])).toHaveLength(1);
});

test('a migration may remove what no release uses any more, and names the release', () => {
  const text = '-- unused since 0.2.0: users.nickname\nalter table users drop column nickname';
  expect(findContractions(text, ['0.1.0', '0.2.0'])).toEqual([]);
  expect(findContractions(text, ['0.1.0'])).toEqual(['0.2.0 is not a release before this one']);
});
