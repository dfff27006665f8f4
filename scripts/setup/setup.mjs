import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { runTool } from './processes.mjs';
import { Problem, print, seconds } from './terminal.mjs';
import { builds, cacheFolder, root } from './workspace.mjs';

const stampsFile = join(cacheFolder, 'builds.json');
const lockFile = join(cacheFolder, 'setup.lock');

/**
 * Installs missing packages and builds stale ones. Returns quickly when everything is current.
 * Several processes may call it at the same time.
 *
 * @param {object} options
 * @param {boolean} [options.types] also emit type declarations (needed to pack, not to run)
 * @param {string[]} [options.only] names of builds; their dependencies are built too. Default: all
 * @param {boolean} [options.force] also build what is current
 */
export async function setup({ types = false, only, force = false } = {}) {
  const wanted = withDependencies(only ?? builds.map(build => build.name));
  if (!force && isInstalled() && staleBuilds(wanted, types).length === 0) return;

  await withLock(lockFile, async () => {
    if (!isInstalled()) await install();
    await buildAll(force ? wanted : staleBuilds(wanted, types), types);
  });
}

/** Installs missing packages, for commands that only read sources. */
export async function setupPackages() {
  if (isInstalled()) return;
  await withLock(lockFile, async () => {
    if (!isInstalled()) await install();
  });
}

function withDependencies(names) {
  const unknown = names.find(name => !builds.some(build => build.name === name));
  if (unknown)
    throw new Problem(`There is no build "${unknown}". The builds are: ${builds.map(b => b.name).join(', ')}.`);

  const needed = new Set(names.flatMap(name => [name, ...(builds.find(build => build.name === name)?.after ?? [])]));
  return builds.filter(build => needed.has(build.name));
}

function staleBuilds(wanted, types) {
  const stamps = readStamps();
  const states = currentStates();
  return wanted.filter(build => {
    const stamp = stamps[build.name];
    if (stamp?.state !== states.get(build.name)) return true;
    if (types && build.typed && !stamp.types) return true;
    return !existsSync(join(root, build.folder, build.output));
  });
}

/** The state of a build is a hash of its input: sources, tools, settings, and the states of its dependencies. */
function currentStates() {
  // The settings of each package import entry-points.mjs.
  const settings = ['scripts/setup/entry-points.mjs', 'scripts/setup/workspace.mjs', 'tsconfig.base.json'];
  const shared = hashOf(['package-lock.json', ...settings].map(readIfThere));
  const states = new Map();
  for (const build of builds) {
    const sources = [build.folder, ...(build.bundles ?? [])].flatMap(folderContent);
    states.set(build.name, hashOf([shared, ...(build.after ?? []).map(name => states.get(name)), ...sources]));
  }
  return states;
}

/** Reads content instead of times, because a checkout or a copy changes only times. */
function folderContent(folder) {
  const entries = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : [];
  return entries
    .filter(entry => !isIrrelevant(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return folderContent(path);
      return entry.isFile() ? [path, readIfThere(path)] : [];
    });
}

function isIrrelevant(name) {
  return (
    ['node_modules', 'dist', 'dashboard-dist', 'test', '__snapshots__'].includes(name) ||
    /\.(test|test-d)\.\w+$|\.md$/.test(name)
  );
}

function readIfThere(file) {
  try {
    return readFileSync(join(root, file));
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

async function buildAll(stale, types) {
  if (stale.length === 0) return;
  const startedAt = performance.now();
  print(`Building ${stale.map(build => build.name).join(', ')} …`);

  const states = currentStates();
  const runs = new Map();
  for (const build of stale) runs.set(build.name, buildAfter(build));
  const failures = (await Promise.all(runs.values())).filter(Boolean);

  if (failures.length > 0) throw new Problem(failures.join('\n\n'));
  print(`Built in ${seconds(startedAt)}.`);

  async function buildAfter(build) {
    const earlier = await Promise.all((build.after ?? []).map(name => runs.get(name)));
    if (earlier.some(Boolean)) return undefined;

    writeStamp(build.name, undefined);
    const failure = await runSteps(build, types);
    if (!failure) writeStamp(build.name, { state: states.get(build.name), types: types && build.typed });
    return failure;
  }
}

async function runSteps(build, types) {
  const cwd = join(root, build.folder);
  for (const [tool, ...args] of build.steps) {
    const result = await runTool(tool, tool === 'tsdown' ? [...args, ...tsdownFlags(types)] : args, { cwd });
    if (!result.ok) return describeFailure(build, tool, result.output);
  }
  return undefined;
}

/** `--dts` would replace the package's settings for declarations. This flag switches them on. */
function tsdownFlags(types) {
  return ['--logLevel', 'warn', ...(types ? ['--dts.enabled'] : [])];
}

function describeFailure(build, tool, output) {
  const cause = /ENOSPC/.test(output) ? ' The disk is full.' : '';
  return `${withoutNoise(output)}\n\nThe build of ${build.name} failed (${tool} in ${build.folder}).${cause}`;
}

/** Removes colours, the bundler's stack, and its warning about the version of Node. */
function withoutNoise(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  return lines
    .filter(line => !/^\s+at |^\[tsdown\] Node\.js/.test(line))
    .join('\n')
    .trim();
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampsFile, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}

function writeStamp(name, stamp) {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(`${stampsFile}.new`, JSON.stringify({ ...readStamps(), [name]: stamp }, null, 2));
  renameSync(`${stampsFile}.new`, stampsFile);
}
