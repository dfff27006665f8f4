import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const startPatienceMs = 60_000;
const stopPatienceMs = 20_000;
const pollMs = 25;

/** A running script, with its output. */
export interface NodeProcess {
  readonly pid: number | undefined;
  /** All output so far, line by line. */
  readonly lines: readonly string[];
  /** Stops it gracefully; after 20 seconds by force. */
  stop(): Promise<void>;
  /** `kill -9`. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Pauses it, as if the machine were asleep. Requests wait. */
  pause(): void;
}

export interface NodeProcessOptions {
  readonly script: string;
  readonly nodeOptions?: readonly string[];
  /** Added to `PATH`. The process sees no other variable. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it is ready; called repeatedly, with the output so far. */
  isReady(lines: readonly string[]): Promise<boolean> | boolean;
}

/**
 * Starts a script with this Node, and waits until it is ready. It ends with the process that started it.
 *
 * @throws when it ends early, with its output
 */
export async function startNodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  const { script, nodeOptions = [], env, isReady } = options;
  const child = spawn(process.execPath, [...nodeOptions, script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let wake: () => void = () => undefined;
  // A new line ends the pause, so that the measured time of a start is exact.
  const pause = () =>
    new Promise<void>(resolve => {
      wake = resolve;
      setTimeout(resolve, pollMs);
    });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => {
      lines.push(line);
      wake();
    });
  }
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));

  try {
    await waitUntilReady(child, { isReady: () => isReady(lines), pause });
  } catch (cause) {
    await end(child, 'SIGKILL');
    throw new Error(`${script} did not start:\n${lines.join('\n')}`, { cause });
  }
  return {
    pid: child.pid,
    lines,
    stop: () => stop(child),
    kill: () => end(child, 'SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
  };
}

async function waitUntilReady(
  child: ChildProcess,
  { isReady, pause }: { isReady(): Promise<boolean> | boolean; pause(): Promise<void> },
): Promise<void> {
  const deadline = performance.now() + startPatienceMs;
  for (;;) {
    if (await isReady()) return;
    if (hasEnded(child)) throw new Error('the process ended unexpectedly');
    if (performance.now() > deadline) throw new Error(`it was not ready after ${startPatienceMs} ms`);
    await pause();
  }
}

/** Whether a URL answers with success. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Refused, reset or timed out: not ready yet.
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const force = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
  await end(child, 'SIGTERM');
  clearTimeout(force);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
