import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { root } from './root.ts';
import { until } from './until.ts';

const stopPatienceMs = 20_000;

/** A process of the repository, with its output. */
export interface NodeProcess {
  /** All output so far, line by line. */
  readonly lines: readonly string[];
  /** Stops it gracefully; after 20 seconds by force. */
  stop(): Promise<void>;
  /** `kill -9`. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Pauses it, as if the machine were asleep. Requests wait. */
  pause(): void;
}

/**
 * Starts a script of the repository and waits until `readyUrl` answers.
 *
 * @throws when it ends early, with its output
 */
export async function startProcess(
  script: string,
  readyUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<NodeProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', script], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => lines.push(line));
  }
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));

  try {
    await until(`${readyUrl} answers`, () => {
      if (hasEnded(child)) throw new Error('the process ended unexpectedly');
      return answers(readyUrl);
    });
  } catch (cause) {
    await end(child, 'SIGKILL');
    throw new Error(`${script} did not start:\n${lines.join('\n')}`, { cause });
  }
  return {
    lines,
    stop: () => stop(child),
    kill: () => end(child, 'SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
  };
}

async function answers(url: string): Promise<boolean> {
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
