import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { mapInParallel, run, runNpm } from '../setup/processes.mjs';
import { Problem, print, seconds } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { freePort, withProcess, withTessera } from './example-processes.mjs';
import { checkBackEnd } from './examples/back-end.mjs';
import { checkFullStack } from './examples/full-stack.mjs';
import { checkNext } from './examples/next.mjs';
import { checkVite } from './examples/vite.mjs';
import { ensureNewestNode } from './newest-node.mjs';
import { tryRuntimes } from './runtimes.mjs';

/** Not copied: a customer installs and builds an example. */
const generated = [
  ...['node_modules', 'dist', 'build', '.next', '.react-router', '.tanstack'],
  ...['.env.local', 'package-lock.json', 'next-env.d.ts', 'routeTree.gen.ts'],
];

/** Variables of the examples, by the prefix that exposes them to the browser. */
const publicVariables = (prefix, { url, projectId, publishableClientKey }) => ({
  [`${prefix}API_URL`]: url,
  [`${prefix}PROJECT_ID`]: projectId,
  [`${prefix}PUBLISHABLE_CLIENT_KEY`]: publishableClientKey,
});
const secretVariable = ({ secretServerKey }) => ({ TESSERA_SECRET_SERVER_KEY: secretServerKey });

const serverVariables = tessera => ({ ...publicVariables('TESSERA_', tessera), ...secretVariable(tessera) });
const viteVariables = tessera => ({ ...publicVariables('VITE_TESSERA_', tessera), ...secretVariable(tessera) });

/** A server in one file. */
const backEnd = name => ({
  name,
  readsEnvironment: true,
  variables: serverVariables,
  start: () => ({ script: 'server.mjs' }),
  readyPath: '/api/me',
  checks: checkBackEnd,
});

/**
 * `builds`: has a build step. `readsEnvironment`: its server reads the variables from the environment, not from a file.
 * `needsNewNode`: does not support the oldest Node that Tessera supports. The slowest examples are first.
 */
const examples = [
  {
    name: 'next',
    builds: true,
    variables: tessera => ({ ...publicVariables('NEXT_PUBLIC_TESSERA_', tessera), ...secretVariable(tessera) }),
    start: port => ({ script: 'node_modules/next/dist/bin/next', args: ['start', '--port', port] }),
    readyPath: '/',
    checks: checkNext,
  },
  {
    name: 'tanstack-start',
    builds: true,
    readsEnvironment: true,
    needsNewNode: true,
    variables: viteVariables,
    start: port => ({
      script: 'node_modules/srvx/bin/srvx.mjs',
      args: ['serve', '--prod', '--port', port, '--static', '../client', '--entry', 'dist/server/server.js'],
    }),
    readyPath: '/',
    checks: context => checkFullStack({ ...context, browserFiles: 'dist/client' }),
  },
  {
    name: 'react-router',
    builds: true,
    readsEnvironment: true,
    variables: viteVariables,
    // The file of `npm start`, so that the test covers its name.
    start: () => ({ script: fileOfStart('react-router'), args: ['build/server/index.js'] }),
    readyPath: '/',
    checks: context => checkFullStack({ ...context, browserFiles: 'build/client' }),
  },
  {
    name: 'vite',
    builds: true,
    variables: tessera => publicVariables('VITE_TESSERA_', tessera),
    start: port => ({ script: 'node_modules/vite/bin/vite.js', args: ['preview', '--port', port, '--strictPort'] }),
    readyPath: '/',
    checks: checkVite,
  },
  backEnd('express'),
  backEnd('hono'),
  backEnd('fastify'),
];

/**
 * Installs, builds and tests the examples as a customer would: in a temporary folder, with the packed packages, against
 * a running server. Returns the number of passed checks, the names of the failed ones, and what could not run.
 *
 * @param {object} options
 * @param {boolean} [options.isPacked] whether packed/ is current
 */
export async function tryExamples({ isPacked = false } = {}) {
  if (!isPacked) await runOrFail(run(process.execPath, [join(root, 'scripts/pack.mjs')], { cwd: root }), 'Packing');

  const folder = mkdtempSync(join(tmpdir(), 'tessera-examples-'));
  const report = { passed: 0, failures: [], remarks: [] };
  try {
    await withTessera(folder, tessera => {
      const tries = examples.map(
        example => () => tryExample(example, { folder: join(folder, example.name), tessera, report }),
      );
      const check = (name, body) => runCheck(report, name, body);
      tries.push(() => tryRuntimes({ folder: join(folder, 'runtimes'), tessera, check }));
      return mapInParallel(tries, tryOne => tryOne());
    });
  } catch (error) {
    noteFailure(report, 'the server for the examples', error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

async function tryExample(example, { folder, tessera, report }) {
  const { name, variables, start, readyPath, checks } = example;
  const node = await nodeFor(example);
  if (!node) return report.remarks.push(`the example ${name}: it needs a newer Node, which npm could not install`);

  const check = (what, body) => runCheck(report, `${name}: ${what}`, body);
  const isThere = await check('installs and builds', () =>
    prepare(example, { folder, node, variables: variables(tessera) }),
  );
  if (!isThere) return;

  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const env = { ...environment(), PORT: port, ...(example.readsEnvironment ? variables(tessera) : {}) };
  const program = { name, cwd: folder, node, env: { ...process.env, ...env }, ...start(port) };
  await check('runs', () => withProcess(program, url + readyPath, () => checks({ check, tessera, folder, url })));
}

/** The file below `node_modules` that `npm start` of an example runs. */
function fileOfStart(example) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'examples', example, 'package.json'), 'utf8'));
  const [file] = /node_modules\/\S+/.exec(scripts.start) ?? [];
  if (file === undefined) throw new Problem(`npm start of ${example} names no file of node_modules.`);
  return file;
}

/** The Node that runs an example. Undefined when the example needs a newer one, which cannot be installed. */
async function nodeFor({ needsNewNode = false }) {
  const [major] = process.versions.node.split('.');
  if (!needsNewNode || Number(major) > 22) return process.execPath;
  return (await ensureNewestNode())?.program;
}

async function prepare({ name, builds }, { folder, node, variables }) {
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: path => !generated.includes(basename(path)),
  });
  useAbsolutePackages(folder);
  const text = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
  if (existsSync(join(folder, '.env.example'))) writeFileSync(join(folder, '.env.local'), text.join(''));

  // npm runs the tools of a package with the first Node of the path.
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const options = { cwd: folder, env: { ...environment(), PATH: path } };
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await runOrFail(runNpm(['install', ...quietly], options), 'npm install');
  if (builds) await runOrFail(runNpm(['run', 'build'], options), 'npm run build');
}

/** The example is copied to another folder, so the paths to the packages become absolute. */
function useAbsolutePackages(folder) {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(manifest.dependencies).map(([name, version]) => [
    name,
    version.replace('file:../..', `file:${root}`),
  ]);
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: Object.fromEntries(entries) }, null, 2));
}

/** The environment without Tessera's settings and without the variables that npm sets for its scripts. */
function environment() {
  const foreign = /^(TESSERA|NEXT_PUBLIC|VITE|STACK|VITEST)_|^(NODE_ENV|NODE_OPTIONS|PORT|VITEST)$/;
  const own = Object.keys(process.env).filter(name => foreign.test(name));
  return { ...Object.fromEntries(own.map(name => [name, undefined])), NEXT_TELEMETRY_DISABLED: '1' };
}

/** Runs a check, prints and counts its failure. Returns whether it passed. */
async function runCheck(report, name, body) {
  const startedAt = performance.now();
  try {
    await body();
  } catch (error) {
    noteFailure(report, name, error);
    return false;
  }
  report.passed += 1;
  print(`✓ ${name}  ${seconds(startedAt)}`);
  return true;
}

function noteFailure(report, name, error) {
  report.failures.push(name);
  print(`✗ ${name}\n\n${error instanceof Problem ? error.message : error.stack}\n`);
}

async function runOrFail(running, what) {
  const result = await running;
  if (!result.ok) throw new Problem(`${result.output.trim()}\n\n${what} failed.`);
}
