import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './checks/all.mjs';
import { audit } from './checks/supply-chain.mjs';
import { run, runTool } from './setup/processes.mjs';
import { setup, setupPackages } from './setup/setup.mjs';
import { main, Problem, print } from './setup/terminal.mjs';
import { cacheFolder, root } from './setup/workspace.mjs';
import { testChanged } from './tests/changed.mjs';
import { ensureChromium } from './tests/chromium.mjs';
import { tryExamples } from './tests/examples.mjs';
import { ensureNewestNode } from './tests/newest-node.mjs';
import { addCounts, countTests, describeFailures } from './tests/vitest-counts.mjs';

const nothing = { passed: 0, failed: 0, skipped: 0 };
const unitParts = ['protocol', 'client', 'ui', 'react', 'testing', 'dashboard', 'demo', 'scripts'];
const databaseParts = ['embedded-postgres', 'server', 'cli'];
const parts = ['check', 'audit', ...unitParts, ...databaseParts, 'e2e', 'size', 'pack', 'examples', 'newest-node'];

/** Programs of Debian that some of the server's tests need. */
const serverPrograms = [
  {
    file: '/usr/lib/postgresql/15/bin/initdb',
    tests: "the server's tests on PostgreSQL 15: install Debian's package postgresql-15",
  },
  {
    file: '/usr/sbin/pgbouncer',
    tests: "the server's tests behind PgBouncer: install Debian's package pgbouncer",
  },
];

/** Tests that depend on the Node release: the SDK, the pages, and the parts of the server that use the system. */
const newestNodeTests = [
  'packages/protocol/',
  'packages/client/',
  'packages/ui/',
  'packages/react/',
  'apps/dashboard/',
  'packages/server/src/http/',
  'packages/server/src/platform/',
];
const newestNodeParts = ['protocol', 'client', 'ui', 'react', 'dashboard', 'server'];

/**
 * `npm test [-- parts … [more for vitest]]`, for example `npm test -- server`, `npm test -- client -t refresh`.
 * `npm test -- --changed` runs the tests beside the changed files.
 */
await main(async args => {
  if (args.includes('--changed')) {
    await setupPackages();
    const failures = await testChanged();
    if (failures.length > 0) throw new Problem(`Failed: ${failures.join(', ')}`);
    return;
  }
  const chosen = args.filter(arg => parts.includes(arg));
  const forVitest = args.filter(arg => !parts.includes(arg));
  if (forVitest.length > 0 && chosen.length === 0) {
    throw new Problem(`Name a part first. The parts are: ${parts.join(', ')}.`);
  }

  const wanted = chosen.length > 0 ? chosen : defaultParts();
  // `pack` needs type declarations. Emitting them now avoids a second build.
  await setup({ types: wanted.includes('pack') });
  const report = await runParts(wanted, forVitest);
  summarize(report);
});

/** The newest Node is a download of 200 MB, so it runs in CI, or when named. */
function defaultParts() {
  return process.env.CI ? parts : parts.filter(part => part !== 'newest-node');
}

async function runParts(chosen, forVitest) {
  /** @type {{ counts: typeof nothing, failures: string[], failedTests: string[], notRun: string[], remarks: string[] }} */
  let report = { counts: nothing, failures: [], failedTests: [], notRun: missingPrograms(chosen), remarks: [] };

  /** @type {[string[], (names: string[]) => Promise<Partial<typeof report>> | Partial<typeof report>][]} */
  const steps = [
    [['check'], runChecks],
    [['audit'], runAudit],
    [unitParts, names => runVitest('unit', names, forVitest)],
    // Separate: when the database cannot start, no test of the same run would start.
    [databaseParts, names => runVitest('server', names, forVitest)],
    [['e2e'], () => runJourneys(forVitest)],
    [['size'], () => runScript('size', 'Sizes')],
    [['pack'], () => runScript('pack', 'Packages')],
    [['examples'], () => runExamples(chosen)],
    [['newest-node'], runOnNewestNode],
  ];

  for (const [names, body] of steps) {
    const wanted = names.filter(name => chosen.includes(name));
    if (wanted.length > 0) report = merge(report, await body(wanted));
  }
  return report;
}

/**
 * @param {{ counts: typeof nothing, failures: string[], failedTests: string[], notRun: string[], remarks: string[] }} report
 * @param {{ counts?: typeof nothing, failures?: string[], failedTests?: string[], notRun?: string[], remarks?: string[] }} more
 */
function merge(report, { counts = nothing, failures = [], failedTests = [], notRun = [], remarks = [] }) {
  return {
    counts: addCounts(report.counts, counts),
    failures: [...report.failures, ...failures],
    failedTests: [...report.failedTests, ...failedTests],
    notRun: [...report.notRun, ...notRun],
    remarks: [...report.remarks, ...remarks],
  };
}

async function runChecks() {
  print('\nChecks');
  return countSteps(await check());
}

/** A failed check counts as a failed test, so that the last line never says 0 failed. */
function countSteps(failures) {
  return { counts: { ...nothing, failed: failures.length }, failures };
}

/** A registry that does not answer is a remark, also in CI: the code under test is not the cause. */
async function runAudit() {
  const { failures, notRun } = await audit();
  for (const failure of failures) print(`✗ ${failure}`);
  return { ...countSteps(failures.length > 0 ? ['audit'] : []), remarks: notRun };
}

/**
 * @param {string} runName
 * @param {string[]} projects
 * @param {string[]} forVitest
 * @param {{ env?: Record<string, string>, node?: string }} [options]
 */
async function runVitest(runName, projects, forVitest, { env, node } = {}) {
  const reportFile = join(cacheFolder, `vitest-${runName}.json`);
  mkdirSync(cacheFolder, { recursive: true });
  rmSync(reportFile, { force: true });

  // Some of the server's tests run a second time as `server-postgres-15`, but not on another Node.
  const projectArgs = projects.flatMap(name => ['--project', name === 'server' && !node ? 'server*' : name]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const result = await runTool('vitest', ['run', ...projectArgs, ...reporters, ...forVitest], {
    cwd: root,
    env,
    node,
    show: true,
  });
  const counts = countTests(reportFile, result);
  return {
    counts,
    failures: counts.failed > 0 ? [`tests (${projects.join(', ')})`] : [],
    failedTests: describeFailures(reportFile),
  };
}

async function runJourneys(forVitest) {
  const chromium = await ensureChromium();
  if (!chromium) return { notRun: ['the browser tests (e2e): Chromium is missing and could not be installed'] };
  return runVitest('e2e', ['e2e'], forVitest, { env: { TESSERA_CHROMIUM: chromium } });
}

async function runOnNewestNode() {
  const node = await ensureNewestNode();
  if (!node) return { remarks: ['the tests on the newest Node: npm could not install it'] };
  print(`\nOn Node ${node.version}`);
  return runVitest('newest-node', newestNodeParts, newestNodeTests, { node: node.program });
}

/** Runs `scripts/{name}.mjs`. */
async function runScript(name, title) {
  print(`\n${title}`);
  const result = await run(process.execPath, [join(root, `scripts/${name}.mjs`)], { cwd: root, show: true });
  return countSteps(result.ok ? [] : [name]);
}

async function runExamples(chosen) {
  print('\nExamples');
  const { passed, failures, remarks } = await tryExamples({ isPacked: chosen.includes('pack') });
  return { counts: { ...nothing, passed, failed: failures.length }, failures, remarks };
}

function missingPrograms(chosen) {
  if (!chosen.includes('server')) return [];
  return serverPrograms.filter(({ file }) => !existsSync(file)).map(({ tests }) => tests);
}

function summarize({ counts, failures, failedTests, notRun, remarks }) {
  // CI must install all programs, so a missing one is a failure there.
  const missing = process.env.CI ? notRun : [];
  const failed = counts.failed + missing.length;

  const lines = [...notRun, ...remarks].map(line => `  ${line}`);
  if (lines.length > 0) print(`\nNot run on this machine:\n${lines.join('\n')}`);
  if (failedTests.length > 0) print(`\nFailed tests:\n${failedTests.map(line => `  ${line}`).join('\n')}`);
  if (failures.length > 0) print(`\nFailed: ${failures.join(', ')}`);
  print();
  print(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`);
  if (failed > 0) process.exitCode = 1;
}
