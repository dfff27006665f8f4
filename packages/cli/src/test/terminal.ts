import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../io.ts';
import { run } from '../run.ts';
import { temporaryFolder } from './folders.ts';

/** What a command has left. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  readonly json: unknown;
}

export interface Terminal {
  /** Where logins are kept. */
  readonly configFolder: string;
  run(...args: string[]): Promise<Ran>;
}

/** Somebody at a terminal, or a script: it has an environment, and a home of its own. */
export function openTerminal(env: Record<string, string>, given: Partial<Io> = {}): Terminal {
  const folder = temporaryFolder();
  const configFolder = join(folder, 'config');
  return {
    configFolder,
    async run(...args) {
      const [stdout, stderr] = [collected(), collected()];
      const io: Io = {
        env,
        cwd: folder,
        // A release whose end of life is not announced.
        nodeVersion: '99.0.0',
        configFolder,
        stdin: Readable.from([]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        isInteractive: false,
        signal: new AbortController().signal,
        pollIntervalMs: 1,
        openBrowser: () => undefined,
        confirm: () => Promise.reject(new Error('nobody can be asked')),
        progress: () => ({ say: () => undefined, end: () => undefined }),
        ...given,
      };
      const code = await run(args, io);
      return { code, stdout: stdout.text(), stderr: stderr.text(), json: parsed(stdout.text()) };
    },
  };
}

function collected() {
  const chunks: Buffer[] = [];
  const stream = new PassThrough();
  stream.on('data', chunk => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not every command was asked for JSON.
    return undefined;
  }
}
