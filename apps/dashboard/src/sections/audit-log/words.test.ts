import { expect, test } from 'vitest';
import { eventWords } from './event-words.ts';
import { words } from './words.ts';

test('a caller with a session of internal is called a member, because admins and viewers are no owners', () => {
  expect(words.actorType.owner).toBe('Project member');
});

test('one repetition of a failure is in the singular', () => {
  expect(words.times(1)).toBe('1 time');
  expect(words.times(1_200)).toBe('1,200 times');
  expect(eventWords.step.repeated(1)).toBe('The same failure happened 1 more time within 15 minutes.');
});
