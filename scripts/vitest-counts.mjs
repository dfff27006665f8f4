import { existsSync, readFileSync } from 'node:fs';

/** Counts the tests of one run, from vitest's JSON report. A failed run never counts as a run without failures. */
export function countTests(reportFile, { ok }) {
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
  const brokenFiles = (report?.testResults ?? []).filter(file => file.status === 'failed' && !hasFailedTest(file));
  const failed = (report?.numFailedTests ?? 0) + brokenFiles.length;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: ok ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

/** A file that cannot be loaded has no failed test, but it is a failure. */
function hasFailedTest(file) {
  return file.assertionResults.some(result => result.status === 'failed');
}

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
