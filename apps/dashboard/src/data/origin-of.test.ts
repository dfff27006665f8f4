import { expect, test } from 'vitest';
import { originOf } from './origin-of.ts';

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  [' https://app.example.com/ ', 'https://app.example.com'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['app.example.com', undefined],
  ['https://app.example.com/path', undefined],
  ['https://user@example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('the typed domain %j has the origin %j', (typed, expected) => {
  expect(originOf(typed)).toBe(expected);
});
