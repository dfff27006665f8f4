import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setup } from './setup/setup.mjs';
import { main, Problem, print } from './setup/terminal.mjs';
import { root } from './setup/workspace.mjs';
import { addressOf, assertPortIsFree, portFrom } from './start/ports.mjs';
import { followOutput, openLogFile } from './start/server-log.mjs';
import { stopChild } from './start/stop-child.mjs';

const readyWithinMs = 60_000;
const minimumFreeBytes = 200 * 1024 * 1024;

const mode = process.env.TESSERA_MODE || 'development';

await main(async () => {
  const port = portFrom('PORT', 4280);
  const demoPort = portFrom('DEMO_PORT', 4281);
  const host = process.env.HOST || '127.0.0.1';
  const dataFolder = resolve(root, process.env.TESSERA_DATA_DIR || '.tessera');

  if (port === demoPort) throw new Problem(`PORT and DEMO_PORT are both ${port}. They must differ.`);
  assertDiskHasRoom(root);
  await assertPortIsFree(port, { host, variable: 'PORT', purpose: 'the server' });
  await assertPortIsFree(demoPort, { host, variable: 'DEMO_PORT', purpose: 'the demo' });

  await setup();
  await runUntilStopped({ host, port, demoPort, dataFolder });
});

function assertDiskHasRoom(folder) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= minimumFreeBytes) return;
  const freeMegabytes = Math.floor((bavail * bsize) / 1024 / 1024);
  throw new Problem(`The disk is almost full: ${freeMegabytes} MB are free. Free some space and start again.`);
}

async function runUntilStopped({ host, port, demoPort, dataFolder }) {
  const file = openLog(dataFolder);
  const showAll = Boolean(process.env.TESSERA_LOG_LEVEL);
  const env = {
    TESSERA_MODE: mode,
    TESSERA_DATA_DIR: dataFolder,
    PORT: String(port),
    DEMO_PORT: String(demoPort),
  };

  const children = [];
  const startNext = (name, script) => {
    const child = startChild(name, script, env, { file, showAll });
    children.push(child);
    return child;
  };
  const stopSignal = firstStopSignal();
  const isStopping = stopSignal.then(() => true);

  try {
    const server = startNext('server', 'packages/server/dist/main.js');
    if (await Promise.race([isStopping, waitUntilReady(server, `${addressOf(host, port)}/health`)])) return;

    const demo = startNext('demo', 'apps/demo/server.mjs');
    if (await Promise.race([isStopping, waitUntilReady(demo, `${addressOf(host, demoPort)}/`)])) return;

    printAddresses({ port, demoPort, dataFolder });
    await Promise.race([stopSignal, ...children.map(failWhenEnded)]);
  } finally {
    await Promise.all(children.map(stopChild));
    file.end();
  }
}

function openLog(dataFolder) {
  try {
    return openLogFile(dataFolder, {
      onError: error => print(`The log cannot be written any more: ${error.message}`),
    });
  } catch (error) {
    throw new Problem(`Cannot write to the data folder ${dataFolder} (TESSERA_DATA_DIR): ${error.message}`);
  }
}

function startChild(name, script, env, output) {
  if (!existsSync(join(root, script))) throw new Problem(`${script} is missing.`);

  const child = spawn(process.execPath, ['--enable-source-maps', script], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches the whole process group of a terminal. In its own group, the child gets one signal, from us.
    detached: true,
  });
  return { name, process: child, ended: once(child, 'exit'), output: followOutput(child, { name, ...output }) };
}

/** Resolves when the child answers. @throws when it ends, or does not answer in time */
async function waitUntilReady(child, url) {
  const deadline = Date.now() + readyWithinMs;
  const ended = failWhenEnded(child);
  ended.catch(() => undefined);

  while (!(await answers(url))) {
    if (Date.now() > deadline) {
      throw new Problem(`${unseenLines(child)}The ${child.name} did not answer at ${url} within a minute.`);
    }
    await Promise.race([ended, sleep(25)]);
  }
}

async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Refused, reset or timed out: not ready yet.
    return false;
  }
}

async function failWhenEnded(child) {
  const [code, signal] = await child.ended;
  throw new Problem(
    `${unseenLines(child)}The ${child.name} stopped unexpectedly (${signal ?? `exit code ${code}`}).${explain(child)}`,
  );
}

/** The terminal has the other lines already. */
function unseenLines(child) {
  return child.output
    .unseen()
    .map(line => `${line}\n`)
    .concat('\n')
    .join('')
    .trimStart();
}

function explain(child) {
  return /ENOSPC|No space left/.test(child.output.recent().join('\n'))
    ? ' The disk is full. Free some space and start again.'
    : '';
}

function firstStopSignal() {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(signal));
    onLostParent(() => resolve('SIGTERM'));
  });
}

/** npm sends SIGTERM to the shell between it and this process, and the shell ends without forwarding it. */
function onLostParent(callback) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) callback();
  }, 500);
  timer.unref();
}

/** In development without a mail server, emails are shown instead of sent. */
function catchesMail() {
  return !process.env.TESSERA_SMTP_URL && mode === 'development';
}

function printAddresses({ port, demoPort, dataFolder }) {
  const relativePath = file => relative(process.cwd(), join(dataFolder, file)) || file;
  print();
  print('  Tessera is running.');
  print();
  const serverUrl = process.env.TESSERA_PUBLIC_URL || `http://localhost:${port}`;
  print(`    Dashboard  ${serverUrl}/dashboard`);
  print(`    Demo app   http://localhost:${demoPort}`);
  print(`    Server     ${serverUrl}`);
  if (catchesMail()) print(`    Mail       http://localhost:${port}/dev/mail`);
  if (existsSync(join(dataFolder, 'keys.json'))) print(`    Keys       ${relativePath('keys.json')}`);
  print(`    Log        ${relativePath('server.log')}`);
  print();
  printAppSettings(join(dataFolder, 'keys.json'));
  print('  Press Ctrl-C to stop.');
  print();
}

/** What an app of the user needs to sign users in to the project Demo. */
function printAppSettings(keysFile) {
  if (!existsSync(keysFile)) return;
  const { url, demo, projects } = JSON.parse(readFileSync(keysFile, 'utf8'));
  const key = projects?.[demo]?.publishableClientKey;
  if (key === undefined) return;
  print('  For your own app, in its .env.local (project Demo; the names are those of Vite):');
  print();
  print(`    VITE_TESSERA_API_URL=${url}`);
  print(`    VITE_TESSERA_PROJECT_ID=${demo}`);
  print(`    VITE_TESSERA_PUBLISHABLE_CLIENT_KEY=${key}`);
  print();
}
