import { describe, expect, test } from 'vitest';
import { totalWords } from './total-words.ts';

describe('the number above the list of users', () => {
  test.each([
    [{ count: 1, isComplete: true }, '1 of 1,200 users matches'],
    [{ count: 40, isComplete: true }, '40 of 1,200 users match'],
    [{ count: 100, isComplete: false }, 'At least 100 of 1,200 users match'],
  ])('%j: %s', (matches, expected) => {
    expect(totalWords.matching(matches, 1200)).toBe(expected);
  });
});
