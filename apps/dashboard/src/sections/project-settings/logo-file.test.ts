import { expect, test } from 'vitest';
import { logoProblem } from './logo-file.ts';

test.each([
  ['a PNG of the largest size', { type: 'image/png', size: 700_000 }, undefined],
  ['a WebP', { type: 'image/webp', size: 1 }, undefined],
  ['a PNG that is one byte too large', { type: 'image/png', size: 700_001 }, 'size'],
  ['an SVG', { type: 'image/svg+xml', size: 1 }, 'type'],
  ['a file without a type', { type: '', size: 1 }, 'type'],
] as const)('the problem of %s as a logo is found', (_, file, problem) => {
  expect(logoProblem(file)).toBe(problem);
});

test('the data URL of the largest file fits into the limit of the server', () => {
  expect('data:image/jpeg;base64,'.length + Math.ceil(700_000 / 3) * 4).toBeLessThanOrEqual(1_000_000);
});
