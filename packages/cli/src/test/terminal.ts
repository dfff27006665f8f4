import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../io.ts';
import { run } from '../run.ts';
import { temporaryFolder } from './folders.ts';

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  readonly json: unknown;
}

export interface Terminal {
  /** The folder of the login file. */
  readonly configFolder: string;
  run(...args: string[]): Promise<Ran>;
}

/** A terminal or a script, with its own environment and home folder. */
export function openTerminal(env: Record<string, string>, given: Partial<Io> = {}): Terminal {
  const folder = temporaryFolder();
  const configFolder = join(folder, 'config');
  return {
    configFolder,
    async run(...args) {
      const [stdout, stderr] = [createCollector(), createCollector()];
      const io: Io = {
        env,
        cwd: folder,
        // A release without an announced end of life.
        nodeVersion: '99.0.0',
        configFolder,
        stdin: Readable.from([]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        isInteractive: false,
        signal: new AbortController().signal,
        pollIntervalMs: 1,
        openBrowser: () => undefined,
        confirm: () => Promise.reject(new Error('this terminal cannot ask')),
        progress: () => ({ show: () => undefined, end: () => undefined }),
        ...given,
      };
      const code = await run(args, io);
      return { code, stdout: stdout.text(), stderr: stderr.text(), json: parseJson(stdout.text()) };
    },
  };
}

function createCollector() {
  const chunks: Buffer[] = [];
  const stream = new PassThrough();
  stream.on('data', chunk => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The command ran without --json.
    return undefined;
  }
}
