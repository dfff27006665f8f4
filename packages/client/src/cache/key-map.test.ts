import { expect, test } from 'vitest';
import { KeyMap } from './key-map.ts';

test('equal keys find the same value, other keys find another', () => {
  const map = new KeyMap<object>();
  const session = {};
  const make = () => ({});
  const value = map.get([session, 'team', true], make);
  expect(map.get([session, 'team', true], make)).toBe(value);
  for (const other of [[{}, 'team', true], [session, 'team', false], [session, 'team'], [session], []]) {
    expect(map.get(other, make)).not.toBe(value);
  }
});

test('values are found by a prefix of their keys', () => {
  const map = new KeyMap<string>();
  const session = {};
  map.get([session, 'a', true], () => 'a true');
  map.get([session, 'a', false], () => 'a false');
  map.get([session, 'b', true], () => 'b true');
  map.get([{}, 'a', true], () => 'of another session');
  map.get([null, 'a'], () => 'of a server');
  expect(map.under([session, 'a'])).toEqual(['a true', 'a false']);
  expect(map.under([session])).toHaveLength(3);
  expect(map.under([null])).toEqual(['of a server']);
  expect(map.under([])).toEqual(['of a server']);
});

test('the oldest unused values are dropped above the limit', () => {
  const map = new KeyMap<number>(value => value === 0);
  for (let id = 0; id < 3000; id++) map.get([null, id], () => id);
  expect(map.under([])).toHaveLength(1001);
  expect(map.under([null, 0])).toEqual([0]);
  expect(map.under([null, 1])).toEqual([]);
  expect(map.under([null, 2999])).toEqual([2999]);
});
