import { describe, expect, test } from 'vitest';
import { describeControls } from './controls.mjs';

const list = '1. S: one.\n\n## More\n\n2. S: two.\n';
const source = '/** One and two (controls 1, 2). */';

function describeFiles(tests, { sources = source, exceptions = [] } = {}) {
  const files = new Map([
    ['docs/security/controls.md', list],
    ['docs/security/exceptions.json', JSON.stringify(exceptions)],
    ['packages/a/src/a.ts', sources],
    ['packages/a/src/a.test.ts', tests],
  ]);
  return describeControls(files);
}

describe('the control check', () => {
  test('accepts a list in which every control has a test, and names file and title in the table', () => {
    const { table, problems } = describeFiles(
      "describe('a key', () => {\n  test('control 1: is refused', f);\n});\ntest('controls 1 to 2: b', f);",
    );

    expect(problems).toEqual([]);
    expect(table).toContain(
      '| 1 | S: one. | [a.ts](../../packages/a/src/a.ts) | a key › is refused ([a.test.ts](../../packages/a/src/a.test.ts))<br>b (',
    );
  });

  test.each([
    ['a control without a test', "test('control 1: a', f)", {}, 'control 2 has no test'],
    ['a title with an unknown control', "test('controls 1, 2, 3: a', f)", {}, '"a" names a control that is not in'],
    [
      'a title without words',
      "describe('control 2', f)\ntest('controls 1, 2: a', f)",
      {},
      '"control 2" does not have the form',
    ],
    [
      'a control that no source names',
      "test('controls 1, 2: a', f)",
      { sources: '// Control 1.' },
      'control 2 is not implemented',
    ],
  ])('refuses %s', (_, tests, options, problem) => {
    expect(describeFiles(tests, options).problems).toEqual([expect.stringContaining(problem)]);
  });

  test('accepts a control without a test when the exceptions give a reason, and shows the reason', () => {
    const exceptions = [{ control: 2, reason: 'Not built yet.', reviewed: '2026-11-22' }];
    const { table, problems } = describeFiles("test('control 1: a', f)", { exceptions });

    expect(problems).toEqual([]);
    expect(table).toContain('**Exception:** Not built yet.');
  });

  test('refuses an exception for an unknown control', () => {
    const exceptions = [{ control: 9, reason: 'Not built yet.', reviewed: '2026-11-22' }];
    expect(describeFiles("test('controls 1, 2: a', f)", { exceptions }).problems).toEqual([
      expect.stringContaining('names control 9, which is not in'),
    ]);
  });
});
