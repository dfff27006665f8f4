import { describe, expect, test } from 'vitest';
import { type Statement, sql, withoutName } from './sql.ts';

/** The query that the driver gets. */
function sent({ name, text, values }: Statement) {
  return { name, text, values };
}

test('values become parameters, in their order', () => {
  expect(sent(sql`select id from users where project_id = ${'p'} and id = ${7}`)).toEqual({
    name: expect.stringMatching(/^[\w-]{22}$/),
    text: 'select id from users where project_id = $1 and id = $2',
    values: ['p', 7],
  });
});

test('control 83: a value is never part of the text, whatever it contains', () => {
  const hostile = "'; drop table users; --";
  expect(sent(sql`select id from users where id = ${hostile}`)).toEqual({
    name: expect.any(String),
    text: 'select id from users where id = $1',
    values: [hostile],
  });
});

test.each([
  ['an object that looks like a statement', { text: 'drop table users', values: [], name: 'x' }],
  ['an object with the methods of one', { spread: () => ({ parts: ['drop table users'], values: [] }) }],
  ['a list', ['drop table users']],
])('control 83: %s is sent as a parameter', (_, value) => {
  const statement = sql`select ${value}`;
  expect([statement.text, statement.values]).toEqual(['select $1', [value]]);
});

test('a template keeps its name when its values change', () => {
  const byId = (id: number) => sql`select name from users where id = ${id}`;
  expect(byId(1).name).toBe(byId(2).name);
});

test('different texts have different names', () => {
  expect(sql`select 1`.name).not.toBe(sql`select 2`.name);
});

describe('a statement inside another one', () => {
  const columns = sql`id, display_name`;
  const list = (projectId: string, condition: Statement, limit: number) =>
    sql`select ${columns} from users where project_id = ${projectId} and ${condition} limit ${limit}`;

  test('is inlined, and the parameters are renumbered', () => {
    expect(sent(list('p', sql`name = ${'n'} and age > ${3}`, 10))).toEqual({
      name: expect.any(String),
      text: 'select id, display_name from users where project_id = $1 and name = $2 and age > $3 limit $4',
      values: ['p', 'n', 3, 10],
    });
  });

  test('gets the values of each call in the order of their placeholders', () => {
    const named = (name: string) => sql`name = ${name}`;
    const between = (from: number, to: number) => sql`age between ${from} and ${to}`;
    const both = (first: Statement, second: Statement) => sql`(${first}) and (${second})`;
    const page = (first: Statement, second: Statement, limit: number) =>
      sql`select id from users where ${both(first, second)} limit ${limit}`;
    const calls = [
      page(named('a'), between(1, 2), 10),
      page(named('b'), between(3, 4), 20),
      page(between(5, 6), named('c'), 30),
      page(named('d'), between(7, 8), 40),
    ].map(sent);
    expect(calls.map(({ values }) => values)).toEqual([
      ['a', 1, 2, 10],
      ['b', 3, 4, 20],
      [5, 6, 'c', 30],
      ['d', 7, 8, 40],
    ]);
    const usual = 'select id from users where (name = $1) and (age between $2 and $3) limit $4';
    const turned = 'select id from users where (age between $1 and $2) and (name = $3) limit $4';
    expect(calls.map(({ text }) => text)).toEqual([usual, usual, turned, usual]);
    expect(new Set(calls.map(({ name }) => name)).size).toBe(2);
  });

  test('may be at either end, next to another one, and nested', () => {
    const inner = sql`${sql`a = ${1}`}${sql` or b = ${2}`}`;
    expect(sent(sql`${inner} or ${inner}`)).toEqual({
      name: expect.any(String),
      text: 'a = $1 or b = $2 or a = $3 or b = $4',
      values: [1, 2, 1, 2],
    });
  });

  test('a template whose inner statement changes between calls has the text of the current call', () => {
    const ascending = sql`order by id asc`;
    const descending = sql`order by id desc`;
    const page = (order: Statement, after: number) => sql`select id from users where id > ${after} ${order}`;
    const texts = [ascending, descending, ascending].map((order, index) => {
      const { name, text, values } = page(order, index);
      return { name, text, values };
    });
    expect(texts.map(({ text }) => text.slice(-4).trim())).toEqual(['asc', 'desc', 'asc']);
    expect(texts.map(({ values }) => values)).toEqual([[0], [1], [2]]);
    expect([texts[0]?.name === texts[2]?.name, texts[0]?.name === texts[1]?.name]).toEqual([true, false]);
  });

  test('a value in the place of an earlier inner statement is a parameter', () => {
    const either = (what: unknown) => sql`select ${what}`;
    expect(either(sql`now()`).text).toBe('select now()');
    expect([either('now()').text, either('now()').values]).toEqual(['select $1', ['now()']]);
    expect(either(sql`now()`).text).toBe('select now()');
  });
});

test('an unprepared statement differs only by its missing name', () => {
  const statement = sql`select id from users where id = ${1} and ${sql`name = ${'n'}`}`;
  expect(sent(withoutName(statement))).toEqual({ ...sent(statement), name: undefined });
});
