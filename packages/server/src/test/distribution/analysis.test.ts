import { describe, expect, test } from 'vitest';
import { analyzeStatement } from './analysis.ts';
import { readKnownTables } from './known-tables.ts';

const tables = readKnownTables();
const analyze = (text: string) => analyzeStatement(text, tables);

test('the schema is read with its distribution columns', () => {
  expect(tables.get('projects')).toMatchObject({ distributedBy: 'id' });
  expect(tables.get('users')?.distributedBy).toBe('project_id');
  expect(tables.get('users')?.columns).toContain('primary_email');
  expect(tables.get('rate_limits')).toMatchObject({ distributedBy: undefined });
});

describe('statements of one project', () => {
  test.each([
    ['a condition', 'select id from users where project_id = $1'],
    ['a join', 'select u.id from users u join teams t on t.project_id = u.project_id where u.project_id = $1'],
    [
      'the same value',
      'select u.id from users u join teams t on t.project_id = $1 where u.project_id = $1 and t.id = $2',
    ],
    ['the project itself', 'select p.id from projects p join users u on u.project_id = p.id where p.id = $1'],
    ['a constant', `select u.id from users u, contact_channels c where u.project_id = 'p' and c.project_id = 'p'`],
    ['using', 'select 1 from users join sessions using (project_id) where project_id = $1'],
    [
      'rows',
      'select 1 from users u, sessions s where (s.project_id, s.user_id) = (u.project_id, u.id) and u.project_id = $1',
    ],
    ['a cast', 'select 1 from users u, teams t where u.project_id = $1::text and t.project_id = $1'],
    [
      'exists',
      'select from users u where project_id = $1 and exists (select from teams t where t.project_id = u.project_id)',
    ],
    [
      'a row subquery',
      'delete from users where project_id = $1 and (project_id, id) in (select project_id, user_id from sessions)',
    ],
    ['a scalar subquery', 'select (select count(*) from teams where project_id = $1) from users where project_id = $1'],
    [
      'a common table',
      'with a as (select project_id, id from users where project_id = $1) select from a join teams t on t.project_id = a.project_id',
    ],
    [
      'all columns',
      'with a as (select * from users where project_id = $1) select from a join teams t on t.project_id = a.project_id',
    ],
    [
      'returning',
      'with a as (delete from users where project_id = $1 returning project_id) insert into teams (project_id) select project_id from a',
    ],
    [
      'insert of values',
      'with a as (select from users where project_id = $1) insert into teams (id, project_id) values ($2, $1)',
    ],
    [
      'update from',
      'update users u set search = t.display_name from teams t where t.project_id = u.project_id and u.project_id = $1',
    ],
    ['delete using', 'delete from users u using teams t where t.project_id = u.project_id and u.project_id = $1'],
    [
      'lateral',
      'select from users u cross join lateral (select 1 from teams t where t.project_id = u.project_id) x where u.project_id = $1',
    ],
    ['union', 'select id from users where project_id = $1 union all select id from teams where project_id = $1'],
  ])('%s', (_, text) => {
    expect(analyze(text)).toMatchObject({ groups: [expect.anything()], isPinned: true });
  });
});

describe('statements that join projects', () => {
  test.each([
    ['no condition', 'select from users u, teams t where u.project_id = $1'],
    ['two values', 'select from users u join teams t on t.project_id = $2 where u.project_id = $1'],
    [
      'another column',
      'select from users u join project_members m on m.user_id = u.id where u.project_id = $1 and m.project_id = $2',
    ],
    ['an alternative', 'select from users u, teams t where u.project_id = $1 and (t.project_id = $1 or t.id = $2)'],
    ['a negation', 'select from users u, teams t where u.project_id = $1 and not t.project_id = u.project_id'],
    ['another comparison', 'select from users u, teams t where u.project_id = $1 and t.project_id >= u.project_id'],
    ['a set of values', 'select from users u, teams t where u.project_id = any($1) and t.project_id = any($1)'],
    ['a subquery', 'select from users where project_id = $1 and id in (select user_id from sessions)'],
    ['a subquery in a result', 'select (select count(*) from teams) from users where project_id = $1'],
    [
      'a common table',
      'with a as (select id from teams) select from users where project_id = $1 and exists (select from a)',
    ],
    ['an inserted value', 'insert into teams (project_id, id) select $2, id from users where project_id = $1'],
    [
      'rows of several projects',
      'with a as (select from users where project_id = $1) insert into teams (project_id) values ($1), ($2)',
    ],
    [
      'a union',
      'select x.id from (select project_id, id from users union select project_id, id from teams) x where x.project_id = $1',
    ],
    ['positions', 'delete from users where ctid = any(array(select ctid from users where project_id = $1))'],
  ])('%s', (_, text) => {
    expect(analyze(text).groups.length).toBeGreaterThan(1);
  });
});

test('a statement without a value for the project asks several shards', () => {
  expect(analyze('select from users where id = $1')).toMatchObject({ groups: [['users']], isPinned: false });
  expect(analyze('select from users where project_id = any($1)')).toMatchObject({ isPinned: false });
  const batch =
    'select from unnest($1::text[]) w (p) join users u on u.project_id = w.p join teams t on t.project_id = w.p';
  expect(analyze(batch)).toMatchObject({ groups: [['users', 'teams']], isPinned: false });
});

test('tables of the coordinator and functions are named', () => {
  const text = `with a as (insert into teams (project_id) values ($1) returning id)
    select graphile_worker.add_job('x', (select key from rate_limits)) from a`;
  expect(analyze(text)).toMatchObject({ others: ['rate_limits'], functions: ['graphile_worker.add_job'] });
});

test('a statement of an unknown kind that names a table of projects is refused', () => {
  expect(() => analyze('truncate users')).toThrow('TruncateStmt');
  expect(analyze('begin')).toMatchObject({ distributed: [] });
});
