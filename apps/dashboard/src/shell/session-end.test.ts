import { expect, test } from 'vitest';
import { sessionEnd } from './session-end.ts';

test('a session that ends by itself is unexpected until the next sign-in, and a sign-out is not', () => {
  sessionEnd.note(true);
  expect(sessionEnd.wasUnexpected()).toBe(false);
  sessionEnd.note(false);
  expect(sessionEnd.wasUnexpected()).toBe(true);
  sessionEnd.note(true);
  expect(sessionEnd.wasUnexpected()).toBe(false);
  sessionEnd.expect();
  sessionEnd.note(false);
  expect(sessionEnd.wasUnexpected()).toBe(false);
});

test('a session that ends after a sign-out that failed is unexpected', () => {
  sessionEnd.note(true);
  sessionEnd.expect();
  sessionEnd.note(true);
  sessionEnd.note(false);
  expect(sessionEnd.wasUnexpected()).toBe(true);
});
