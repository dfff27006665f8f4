import { describe, expect, test } from 'vitest';
import { placeToFree, readableCursor } from './rules.ts';

test.each(['740:745:', '740:740:', '740:745:740', '740:745:741,743', '1:999999999999999999:'])(
  'the cursor %s is a snapshot',
  text => {
    expect(readableCursor(text)).toBe(text);
  },
);

test.each([
  undefined,
  '',
  '0:5:',
  '745:740:',
  '740:745:739',
  '740:745:745',
  '740:745:743,741',
  '740:745:741,741',
  '740:745:741,',
  '740:9999999999999999999:',
])('the cursor %s is unknown', text => {
  expect(readableCursor(text)).toBeUndefined();
});

describe('a new stream in a full process', () => {
  /** Places in the order of taking, `ada/shop` for a project `shop` of the owner `ada`. */
  const freed = (taken: string[], newcomer: string) =>
    placeToFree(
      taken.map((projectId, index) => ({ projectId, index })),
      newcomer,
      projectId => projectId.split('/')[0] ?? '',
    )?.index;

  test.each([
    ['the last place of the owner with most streams', ['ada/a', 'ada/a', 'bob/b'], 'eve/e', 1],
    ['a place of the largest project of that owner', ['ada/a', 'ada/b', 'ada/a', 'ada/c'], 'eve/e', 2],
    ['a place of many projects with one stream each', ['ada/a', 'ada/b', 'ada/c'], 'eve/e', 2],
    ['a place of the largest project of its own owner', ['ada/a', 'ada/a', 'ada/a', 'bob/b'], 'ada/c', 2],
    ['no place when its owner would have as many', ['ada/a', 'ada/b', 'bob/b'], 'bob/c', undefined],
    ['no place when its project would have as many', ['ada/a', 'ada/a', 'ada/b'], 'ada/b', undefined],
    ['no place when every owner has one', ['ada/a', 'bob/b'], 'eve/e', undefined],
    ['no place for the owner with most streams', ['ada/a', 'ada/b', 'ada/c', 'bob/b'], 'ada/d', undefined],
  ])('takes %s', (_, taken, newcomer, expected) => {
    expect(freed(taken, newcomer)).toBe(expected);
  });
});
