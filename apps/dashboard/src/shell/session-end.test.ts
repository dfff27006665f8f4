import { expect, test } from 'vitest';
import { sessionEnd } from './session-end.ts';

test('a session that ended is unexpected until the next sign-in', () => {
  expect(sessionEnd.wasUnexpected()).toBe(false);
  sessionEnd.note(false);
  expect(sessionEnd.wasUnexpected()).toBe(true);
  sessionEnd.note(true);
  expect(sessionEnd.wasUnexpected()).toBe(false);
});
