import { expect, test } from 'vitest';
import { nameStatement } from './statement-spans.ts';

test.each([
  ['select id from users where id = $1', 'select', 'users'],
  ['select extract(epoch from now()) from teams', 'select', 'teams'],
  ['select * from unnest($1::text[]) w (id) join users u on true', 'select', undefined],
  ['with w as (select * from unnest($1::text[]) w) insert into events (id) select id from w', 'insert', 'events'],
  ['select x from (select id from sessions) x', 'select', 'sessions'],
  ['select id from users for update', 'select', 'users'],
  ['select pg_notify($1, $2)', 'select', undefined],
  ['insert into teams (id) values ($1) on conflict (id) do update set id = $1', 'insert', 'teams'],
  ['\n  UPDATE users set search = $1', 'update', 'users'],
  ['with gone as (delete from sessions where id = $1) select count(*) from gone', 'delete', 'sessions'],
  ['delete from graphile_worker._private_jobs where id = $1', 'delete', 'graphile_worker._private_jobs'],
])('the name of %j is %s %s', (text, verb, table) => {
  expect(nameStatement(text)).toEqual({ verb, table });
});
