import { expect, test } from 'vitest';
import { testsBeside } from './tests-beside.mjs';

const tests = [
  'packages/server/src/features/teams/teams.test.ts',
  'packages/server/src/features/teams/roles/roles.test.ts',
  'packages/server/src/features/email/queue/queue.test.ts',
  'packages/server/src/start.test.ts',
];

test.each([
  ['a file of a feature', 'packages/server/src/features/teams/store.ts', [tests[0], tests[1]]],
  ['a file of a subfolder with tests', 'packages/server/src/features/teams/roles/rules.ts', [tests[1]]],
  ['a file of a subfolder without tests', 'packages/server/src/features/email/transport/smtp.ts', [tests[2]]],
  ['a test', 'packages/server/src/features/teams/teams.test.ts', [tests[0]]],
  ['a file in the top folder of a package', 'packages/server/src/compose.ts', [tests[3]]],
  ['a file without tests around it', 'packages/client/src/sessions/session.ts', []],
  ['a file of no package', 'README.md', []],
])('the tests beside %s', (_, file, expected) => {
  expect(testsBeside(file, tests)).toEqual(expected);
});
