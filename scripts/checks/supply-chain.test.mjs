import { describe, expect, test } from 'vitest';
import { licenceProblems, missingPlatforms, reviewAudit } from './supply-chain.mjs';

describe('the audit', () => {
  const advisory = {
    name: 'left-pad',
    title: 'Reads too far',
    severity: 'high',
    url: 'https://github.com/advisories/GHSA-1',
  };
  const report = JSON.stringify({ vulnerabilities: { 'left-pad': { via: [advisory] }, app: { via: ['left-pad'] } } });

  test('control 105: an advisory without a review fails', () => {
    expect(reviewAudit(report, [])).toEqual({ failures: ['GHSA-1 left-pad: Reads too far (high)'], notRun: [] });
  });

  test('accepts a reviewed advisory', () => {
    expect(reviewAudit(report, [{ advisory: 'GHSA-1' }])).toEqual({ failures: [], notRun: [] });
  });

  test('a reviewed advisory that no longer applies fails', () => {
    const { failures } = reviewAudit('{ "vulnerabilities": {} }', [{ advisory: 'GHSA-1' }]);
    expect(failures).toEqual([expect.stringContaining('GHSA-1 no longer applies')]);
  });

  test.each([
    ['a registry without the endpoint', '{ "message": "405 Method Not Allowed" }', 'npm audit: 405 Method Not Allowed'],
    ['no answer', '', 'npm audit: the registry sent no report'],
  ])('reports %s as not run, not as passed', (_, text, reason) => {
    expect(reviewAudit(text, [])).toEqual({ failures: [], notRun: [reason] });
  });
});

describe('the licence check', () => {
  const policy = {
    shipped: ['MIT'],
    development: ['MPL-2.0'],
    packages: [{ name: 'odd', licence: 'MIT', reason: 'Its LICENSE file says so.' }],
  };
  const problemsOf = packages => licenceProblems({ packages }, policy);

  test('control 105: a licence that is not on the list fails', () => {
    expect(problemsOf({ 'node_modules/a': { license: 'GPL-3.0' } })).toEqual([
      expect.stringContaining('a has the licence GPL-3.0'),
    ]);
  });

  test('control 105: a licence for development tools fails in a shipped package', () => {
    expect(problemsOf({ 'node_modules/a': { license: 'MPL-2.0' } })).toHaveLength(1);
    expect(problemsOf({ 'node_modules/a': { license: 'MPL-2.0', dev: true } })).toEqual([]);
  });

  test('accepts a package without a licence only when it is reviewed', () => {
    expect(problemsOf({ 'node_modules/odd': {}, 'packages/own': {} })).toEqual([]);
    expect(problemsOf({ 'node_modules/a': {} })).toHaveLength(1);
  });
});

test('a lock file without the package of another platform fails', () => {
  const optionalDependencies = { 'hash-linux': '1.0.0', 'hash-darwin': '1.0.0' };
  const packages = { 'node_modules/hash': { optionalDependencies }, 'node_modules/hash-linux': {} };
  expect(missingPlatforms({ packages })).toEqual([expect.stringContaining('lacks hash-darwin')]);
  expect(missingPlatforms({ packages: { ...packages, 'node_modules/hash-darwin': {} } })).toEqual([]);
});
