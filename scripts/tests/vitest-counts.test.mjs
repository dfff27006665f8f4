import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../setup/workspace.mjs';
import { countTests, describeFailures } from './vitest-counts.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tessera-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function reportFile(report) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const counted = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0 };
const failedTest = { status: 'failed', assertionResults: [{ status: 'failed' }] };
const brokenFile = { status: 'failed', assertionResults: [] };

test('the counts come from the report', () => {
  const file = reportFile({ ...counted, testResults: [failedTest] });
  expect(countTests(file, { ok: false })).toEqual({ passed: 3, failed: 1, skipped: 2 });
});

test('a test file that cannot be loaded counts as a failure', () => {
  const file = reportFile({ ...counted, testResults: [failedTest, brokenFile] });
  expect(countTests(file, { ok: false })).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('a failed run without a failed test counts as one failure', () => {
  const file = reportFile({ ...counted, numFailedTests: 0, testResults: [] });
  expect(countTests(file, { ok: false }).failed).toBe(1);
  expect(countTests(join(tmpdir(), 'no-such-report.json'), { ok: false })).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test('each failed test is described by file, title and the first lines of its error', () => {
  const file = reportFile({
    testResults: [
      {
        name: join(root, 'packages/server/src/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'a sign-in succeeds', failureMessages: [] },
          { status: 'failed', fullName: 'a revoked key is refused', failureMessages: ['expected 200\nto be 401'] },
        ],
      },
      { name: join(root, 'e2e/b.test.ts'), status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  });
  expect(describeFailures(file)).toEqual([
    'packages/server/src/a.test.ts › a revoked key is refused\n      expected 200\n      to be 401',
    'e2e/b.test.ts\n      Cannot find module',
  ]);
});

test('a missing report describes no failure', () => {
  expect(describeFailures(join(tmpdir(), 'no-such-report.json'))).toEqual([]);
});
