import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapInParallel, run, runTool } from '../setup/processes.mjs';
import { setupPackages } from '../setup/setup.mjs';
import { print, seconds } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { licenceProblems, missingPlatforms } from './supply-chain.mjs';

/**
 * Packages with the same compiler options are one program: a program for each package checks the same sources up to five
 * times. Editors use the `tsconfig.json` of each package.
 */
const typePrograms = ['server', 'client', 'apps'];

/** Runs all checks that need no build. Returns the names of the failed ones. */
export async function check() {
  await setupPackages();
  const results = await mapInParallel(listChecks(), runCheck);
  return results.filter(result => !result.ok).map(result => result.name);
}

async function runCheck({ name, body }) {
  const startedAt = performance.now();
  const { ok, output } = await body();
  print(`${ok ? '✓' : '✗'} ${name}  ${seconds(startedAt)}`);
  if (!ok) print(`\n${output.trim()}\n`);
  return { name, ok };
}

function listChecks() {
  const byScript = (...args) => run(process.execPath, args.map(String), { cwd: root });
  return [
    ...[...typePrograms.map(name => `scripts/checks/types/${name}.json`), 'scripts'].map(project => ({
      name: `types ${project}`,
      body: () => runTool('typescript7:tsc', ['--project', project, '--noEmit', '--pretty', 'false'], { cwd: root }),
    })),
    { name: 'types of all folders', body: async () => describeUntyped(foldersWithoutProgram()) },
    {
      name: 'lint and format',
      body: () => runTool('@biomejs/biome:biome', ['check', '--error-on-warnings', '.'], { cwd: root }),
    },
    { name: 'import rules', body: () => byScript('scripts/checks/sources.mjs', 'imports') },
    { name: 'one owner per table', body: () => byScript('scripts/checks/sources.mjs', 'tables') },
    { name: 'citations', body: () => byScript('scripts/checks/sources.mjs', 'citations') },
    { name: 'folder sizes', body: () => byScript('scripts/checks/sources.mjs', 'folders') },
    { name: 'doc comments', body: () => byScript('scripts/docs.mjs', '--check') },
    { name: 'no machine paths', body: () => byScript('scripts/checks/sources.mjs', 'leaks') },
    { name: 'controls and their tests', body: () => byScript('scripts/controls.mjs') },
    { name: 'licences', body: async () => describeProblems(licenceProblems()) },
    { name: 'lock file matches', body: async () => describeLock(findLockDifferences()) },
    { name: 'packages of all platforms', body: async () => describeProblems(missingPlatforms()) },
    { name: 'no unused code', body: () => runTool('knip', ['--no-progress'], { cwd: root }) },
  ];
}

function workspaceFolders() {
  const inside = parent =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => `${parent}/${entry.name}`);
  return [...inside('packages'), ...inside('apps'), 'e2e', 'bench'];
}

/** Folders with types that none of the programs includes, so that a new one is not forgotten. */
function foldersWithoutProgram() {
  const included = typePrograms.flatMap(name => readJson(`scripts/checks/types/${name}.json`).include);
  return workspaceFolders()
    .filter(folder => existsSync(join(root, folder, 'tsconfig.json')))
    .filter(folder => !included.some(path => `${path}/`.startsWith(`../../../${folder}/`)));
}

function describeUntyped(folders) {
  return { ok: folders.length === 0, output: `No program of scripts/checks/types includes ${folders.join(', ')}.` };
}

/** The start script installs from the lock file, so a dependency that is not in it would be missing. */
function findLockDifferences() {
  const lock = readJson('package-lock.json');
  return ['', ...workspaceFolders()].filter(folder => {
    const manifest = readJson(join(folder, 'package.json'));
    const locked = lock.packages[folder] ?? {};
    return ['dependencies', 'devDependencies', 'peerDependencies'].some(
      kind => JSON.stringify(sortEntries(manifest[kind])) !== JSON.stringify(sortEntries(locked[kind])),
    );
  });
}

function describeLock(folders) {
  const names = folders.map(folder => join(folder, 'package.json')).join(', ');
  return { ok: folders.length === 0, output: `package-lock.json does not match ${names}. Run \`npm install\`.` };
}

function describeProblems(problems) {
  return { ok: problems.length === 0, output: problems.join('\n') };
}

function sortEntries(record = {}) {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
