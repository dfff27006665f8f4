import { existsSync, readFileSync } from 'node:fs';

/** Counts of one run, from the file of vitest's JSON reporter. A run that failed never counts as one without failures. */
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

/** A file that cannot be loaded has no failed test; it is a failure all the same. */
function hasFailedTest(file) {
  return file.assertionResults.some(result => result.status === 'failed');
}

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
