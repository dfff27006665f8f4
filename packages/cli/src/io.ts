import type { Readable, Writable } from 'node:stream';
import { stripControlCharactersOfLines } from './control-characters.ts';
import type { Environment } from './env.ts';

/** All input and output of a command. Tests pass their own. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Version of Node.js without `v`. */
  readonly nodeVersion: string;
  /** The folder of the login file. */
  readonly configFolder: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether a user at the terminal can answer a question. */
  readonly isInteractive: boolean;
  /** Aborts when the command must stop. */
  readonly signal: AbortSignal;
  /** The delay between two polls for the confirmation of a login. */
  readonly pollIntervalMs: number;
  /** Tries to open the browser. The address is also printed. */
  openBrowser(url: string): void;
  /** Asks a yes-or-no question. Only for interactive terminals. */
  confirm(question: string): Promise<boolean>;
  /** Shows progress in an interactive terminal. */
  progress(label: string): Progress;
}

export interface Progress {
  show(text: string): void;
  end(): void;
}

/** Writes, and waits until the stream has room. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error ? reject(error) : resolve()));
  });
}

/** Writes a line to standard error, beside the result. */
export function note(io: Pick<Io, 'stderr'>, text: string): Promise<void> {
  return write(io.stderr, `${stripControlCharactersOfLines(text)}\n`);
}

/** Resolves when the command must stop. */
export function waitForAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
