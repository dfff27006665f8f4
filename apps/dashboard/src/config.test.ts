import { expect, test } from 'vitest';
import { apiBaseUrl } from './config.ts';

test.each([
  ['/dashboard/', 'https://example.com'],
  ['/auth/dashboard/', 'https://example.com/auth'],
  ['/dashboard/dashboard/', 'https://example.com/dashboard'],
])('the API of a dashboard at %s is at %s', (base, expected) => {
  expect(apiBaseUrl({ base }, 'https://example.com')).toBe(expected);
});
