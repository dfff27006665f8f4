import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countTests } from './vitest-counts.mjs';

function reportFile(report) {
  const file = join(mkdtempSync(join(tmpdir(), 'tessera-counts-')), 'report.json');
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
