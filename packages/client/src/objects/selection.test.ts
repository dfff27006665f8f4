import { expect, test } from 'vitest';
import { constantReader, selectReader } from './selection.ts';

test('equal names find the same reader of a part', () => {
  const teams = constantReader(['a', 'b'])();
  const find = (id: string) => selectReader(teams, id, all => all.includes(id));
  expect(find('a')).toBe(find('a'));
  expect(find('a').peek()).toEqual({ status: 'ok', data: true });
  expect(find('c').peek()).toEqual({ status: 'ok', data: false });
});

test('readers of parts whose names callers choose do not grow without end', () => {
  const teams = constantReader<string[]>([])();
  const find = (id: string) => selectReader(teams, id, all => all.includes(id));
  const [first, used] = [find('first'), find('used')];
  for (let id = 0; id < 3000; id++) {
    find(String(id));
    find('used');
  }
  expect(find('first')).not.toBe(first);
  expect(find('used')).toBe(used);
});
