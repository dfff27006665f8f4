import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../setup/workspace.mjs';

/** Counts the tests of one run, from vitest's JSON report. A failed run never counts as a run without failures. */
export function countTests(reportFile, { ok }) {
  const report = readReport(reportFile);
  const brokenFiles = (report?.testResults ?? []).filter(file => file.status === 'failed' && !hasFailedTest(file));
  const failed = (report?.numFailedTests ?? 0) + brokenFiles.length;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: ok ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

/**
 * One entry per failed test: its file, its title, and the first lines of its error. The output of a long run is often cut
 * to its end, so the end names what failed.
 */
export function describeFailures(reportFile) {
  return (readReport(reportFile)?.testResults ?? []).flatMap(describeFailuresOfFile);
}

function describeFailuresOfFile(file) {
  const name = relative(root, file.name);
  const failed = file.assertionResults.filter(result => result.status === 'failed');
  if (file.status === 'failed' && failed.length === 0) return [`${name}\n${indent(file.message)}`];
  return failed.map(test => `${name} › ${test.fullName}\n${indent(test.failureMessages.join('\n'))}`);
}

function indent(message, lines = 6) {
  return message
    .split('\n')
    .slice(0, lines)
    .map(line => `      ${line.slice(0, 300)}`)
    .join('\n');
}

function readReport(reportFile) {
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
}

/** A file that cannot be loaded has no failed test, but it is a failure. */
function hasFailedTest(file) {
  return file.assertionResults.some(result => result.status === 'failed');
}

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
