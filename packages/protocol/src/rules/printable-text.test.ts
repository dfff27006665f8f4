import { expect, test } from 'vitest';
import { printableText } from './printable-text.ts';

test.each([
  ['Ada', 'Ada'],
  ['\u202eecilA', 'ecilA'],
  ['Ada\u0000\u2066Eve', 'Ada  Eve'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['\u200b \u200d\u3164', ''],
])('of the name %j the text %j is shown', (name, shown) => {
  expect(printableText(name)).toBe(shown);
});
