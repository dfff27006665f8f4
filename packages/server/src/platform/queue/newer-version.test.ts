import { expect, test } from 'vitest';
import { attemptsAfterFailure, WrittenByNewerVersion } from './newer-version.ts';

const createdAt = new Date('2000-01-01T00:00:00Z');
const unreadable = new WrittenByNewerVersion('a newer version wrote this');

test.each([
  ['a job that this version cannot decrypt counts two attempts', unreadable, '2000-01-01T23:59:59Z', 2],
  ['a job that this version cannot decrypt counts all attempts after a day', unreadable, '2000-01-02T00:00:00Z', 7],
  ['a job that failed for another reason counts all attempts', new Error('no answer'), '2000-01-01T00:00:01Z', 7],
])('%s', (_, error, lockedAt, attempts) => {
  expect(attemptsAfterFailure(error, { attempts: 7, createdAt, lockedAt: new Date(lockedAt) })).toBe(attempts);
});
