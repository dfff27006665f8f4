import { expect, test } from 'vitest';
import { summarizeFailures } from './summarize-failures.ts';

const failure = (address: string | null, userId: string | null, count?: number) => ({
  address,
  userId,
  details: { method: 'password', ...(count === undefined ? {} : { count }) },
});

test('failed sign-ins are counted by address, with repetitions and accounts, the most first', () => {
  expect(
    summarizeFailures([
      failure('192.0.2.1', 'a'),
      failure('192.0.2.2', 'a'),
      failure('192.0.2.2', 'b'),
      failure('192.0.2.2', null, 29),
      failure(null, 'b'),
      failure('192.0.2.1', 'a'),
    ]),
  ).toEqual([
    { address: '192.0.2.2', count: 31, accounts: 2 },
    { address: '192.0.2.1', count: 2, accounts: 1 },
    { address: null, count: 1, accounts: 1 },
  ]);
});

test('without failed sign-ins the summary is empty', () => {
  expect(summarizeFailures([])).toEqual([]);
});
