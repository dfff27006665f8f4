import { expect, test } from 'vitest';
import { schemeOfColor } from './page-scheme.ts';

test.each([
  ['rgb(255, 255, 255)', 'light'],
  ['rgb(0, 0, 0)', 'dark'],
  ['rgb(20, 23, 30)', 'dark'],
  ['rgb(200, 210, 0)', 'light'],
  ['rgba(0, 0, 0, 0)', undefined],
  ['rgba(0, 0, 0, 0.2)', undefined],
  ['rgba(0, 0, 0, 0.9)', 'dark'],
  ['oklch(0.2 0 0)', 'dark'],
  ['oklab(0.98 0 0)', 'light'],
  ['oklch(0.2 0 0 / 0.1)', undefined],
  ['lab(10 0 0)', 'dark'],
  ['color(srgb 0.9 0.9 0.95)', 'light'],
  ['color(srgb 0.05 0.05 0.05 / 0.98)', 'dark'],
  ['', undefined],
])('the background %j is %s', (color, scheme) => {
  expect(schemeOfColor(color)).toBe(scheme);
});
