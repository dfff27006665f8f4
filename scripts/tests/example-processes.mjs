import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';

const readyWithinMs = 60_000;
const stopWithinMs = 10_000;

/** Finds a free port. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts a script, with this Node by default, calls `body` with its address when it answers, and stops it afterwards. */
export async function withProcess({ name, script, args = [], cwd, env, node = process.execPath }, url, body) {
  const child = spawn(node, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.push(chunk));
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);

  try {
    await waitUntilReady(url, child, () => `${name} did not start:\n${Buffer.concat(output).toString('utf8').trim()}`);
    return await body(url);
  } finally {
    await stop(child, ended);
    process.off('exit', endWithUs);
  }
}

/** Runs a server on a new database. `body` gets its address and the keys of project Demo. */
export async function withTessera(folder, body) {
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = {
    name: 'Tessera',
    script: 'packages/server/dist/main.js',
    cwd: root,
    env: { PATH: process.env.PATH, TESSERA_MODE: 'development', TESSERA_DATA_DIR: dataFolder, PORT: String(port) },
  };

  try {
    return await withProcess(server, `${url}/health?db=1`, () => body({ url, ...readKeys(dataFolder) }));
  } finally {
    rmSync(clusterFolder(dataFolder), { recursive: true, force: true });
  }
}

function readKeys(dataFolder) {
  const { demo, projects } = JSON.parse(readFileSync(join(dataFolder, 'keys.json'), 'utf8'));
  const { publishableClientKey, secretServerKey } = projects[demo];
  return { projectId: demo, publishableClientKey, secretServerKey };
}

/** For root, the database is outside the data folder, which names the place. */
function clusterFolder(dataFolder) {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'postgres.json'), 'utf8')).cluster;
  } catch (error) {
    if (error.code === 'ENOENT') return join(dataFolder, 'postgres');
    throw error;
  }
}

async function waitUntilReady(url, child, describe) {
  const deadline = Date.now() + readyWithinMs;
  while (!(await answers(url))) {
    if (hasEnded(child) || Date.now() > deadline) throw new Problem(describe());
    await sleep(50);
  }
}

async function answers(url) {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    // Refused, reset or timed out: not ready yet.
    return false;
  }
}

async function stop(child, ended) {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(force);
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}
