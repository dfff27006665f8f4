import { expect, test } from 'vitest';
import { isOwnPackage, judgeVersion } from './rules.ts';

const upToDate = { upToDate: true };
const severe = { upToDate: false, error: expect.any(String), severe: true };
const mild = { upToDate: false, error: expect.any(String), severe: false };

test.each([
  ['2.8.21', upToDate],
  ['2.8.20', mild],
  ['2.8.0', mild],
  ['2.8.22', mild],
  ['2.8.100', mild],
  ['2.7.21', severe],
  ['2.9.0', severe],
  ['1.8.21', severe],
  ['3.0.0', severe],
  ['2.8.21-beta.1', severe],
  ['2.8.21+build.5', severe],
  ['2.8.20-beta.1', mild],
  ['', severe],
  ['latest', severe],
  ['2.8', severe],
  ['2.8.21.0', severe],
  ['v2.8.21', severe],
  [' 2.8.21', severe],
  ['2.8.21\n', severe],
  ['2.8.20-', severe],
  ['2.8.020', severe],
  ['-1.8.21', severe],
  ['2.8.99999999999999999999', severe],
  ['9'.repeat(100_000), severe],
])('the version %j of a client is compared with 2.8.21', (clientVersion, verdict) => {
  expect(judgeVersion(clientVersion, '2.8.21')).toEqual(verdict);
});

test('the message repeats only the beginning of the sent version', () => {
  const verdict = judgeVersion('x'.repeat(100_000), '2.8.21');
  expect(JSON.stringify(verdict).length).toBeLessThan(300);
});

test.each([
  ['js @tessera/client@0.1.0', true],
  ['js  @tessera/react@1.20.3', true],
  ['js @stackframe/stack@2.8.21', false],
  ['js @stackframe/tessera@0.1.0', false],
  ['js @tessera-evil/client@0.1.0', false],
  ['@tessera/client@0.1.0', false],
  ['js @tessera/client', false],
  ['', false],
  [null, false],
])('the client version %j names one of our packages: %s', (clientVersion, expected) => {
  expect(isOwnPackage(clientVersion)).toBe(expected);
});
