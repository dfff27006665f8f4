import { expect, test } from 'vitest';
import { KeyMap } from './key-map.ts';

test('the same keys lead to the same value, others to another', () => {
  const map = new KeyMap<object>();
  const session = {};
  const make = () => ({});
  const value = map.get([session, 'team', true], make);
  expect(map.get([session, 'team', true], make)).toBe(value);
  for (const other of [[{}, 'team', true], [session, 'team', false], [session, 'team'], [session], []]) {
    expect(map.get(other, make)).not.toBe(value);
  }
});
