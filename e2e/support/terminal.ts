import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

const program = join(root, 'packages/cli/bin/tessera.js');

/** The end of a command. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface Running {
  /** Waits until a pattern is on standard error. @returns the match. @throws when the command ends without it */
  read(pattern: RegExp): Promise<RegExpMatchArray>;
  readonly ended: Promise<Ran>;
}

/** A terminal in an empty folder, with a login file of its own. */
export interface Terminal {
  /** Starts the built `tessera`. */
  start(...args: readonly string[]): Running;
  /** Stops the commands that still run, and deletes the folder. */
  close(): Promise<void>;
}

/** Opens a terminal whose commands see only the given environment. */
export async function openTerminal(env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-terminal-'));
  const stop = new AbortController();
  const running = new Set<Promise<Ran>>();

  function start(...args: readonly string[]): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, TESSERA_CONFIG_DIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    stop.signal.addEventListener('abort', kill);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code]): Ran => ({ code, stdout, stderr }));
    running.add(ended);

    async function read(pattern: RegExp): Promise<RegExpMatchArray> {
      for (;;) {
        const match = pattern.exec(stderr);
        if (match !== null) return match;
        const ran = await Promise.race([once(child.stderr, 'data'), ended]);
        if ('code' in ran) throw new Error(`tessera ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}`);
      }
    }

    return { read, ended };
  }

  async function close(): Promise<void> {
    stop.abort();
    await Promise.all(running);
    await rm(folder, { recursive: true });
  }

  return { start, close };
}
