import { spawn } from 'node:child_process';
import { confirm, isCancel, spinner } from '@clack/prompts';
import { configFolder, readEnvironment } from './env.ts';
import type { Io, Progress } from './io.ts';
import { cleaningCommands } from './program.ts';
import { run } from './run.ts';

const pollIntervalMs = 2_000;

/** The exit code of an interrupted program in a shell. */
const interrupted = 130;

const args = process.argv.slice(2);
const stop = new AbortController();
// SIGHUP: the terminal is closed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted || !cleaningCommands.has(args[0] ?? '')) process.exit(interrupted);
    stop.abort();
  });
}
// The reader has closed the pipe, as `head` does. A server goes on without its log: the end of a program that collects
// logs must not end running requests. Every other error, such as a full disk, fails the command whose output is lost.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && args[0] !== 'start') process.exit(0);
});
// A failed write without a listener would end the process.
process.stderr.on('error', () => undefined);

const silent: Progress = { show: () => undefined, end: () => undefined };

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` would read an ampersand in the address as the end of the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const { stdin, stdout, stderr } = process;
const env = readEnvironment();
const isInteractive = stdin.isTTY === true && stderr.isTTY === true;

const io: Io = {
  env,
  cwd: process.cwd(),
  nodeVersion: process.versions.node,
  configFolder: configFolder(env),
  stdin,
  stdout,
  stderr,
  isInteractive,
  signal: stop.signal,
  pollIntervalMs,
  openBrowser: url => {
    if (isInteractive) openBrowser(url);
  },
  confirm: async message => {
    const answer = await confirm({ message, initialValue: false, output: stderr, signal: stop.signal });
    return !isCancel(answer) && answer;
  },
  progress: label => (stderr.isTTY === true ? startSpinner(label) : silent),
};

process.exitCode = await run(args, io);
// Connections that are kept alive would keep the process running.
process.exit();

function startSpinner(label: string): Progress {
  const shown = spinner({ output: stderr });
  shown.start(label);
  return { show: text => shown.message(`${label}: ${text}`), end: () => shown.clear() };
}

/** Failure is harmless: the address is also printed. */
function openBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
