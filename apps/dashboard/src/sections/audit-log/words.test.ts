import { expect, test } from 'vitest';
import { words } from './words.ts';

test('a caller with a session of internal is called a member, because admins and viewers are no owners', () => {
  expect(words.actorType.owner).toBe('Project member');
});
