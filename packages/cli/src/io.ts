import type { Readable, Writable } from 'node:stream';
import type { Environment } from './env.ts';

/** Everything that a command takes from outside. Tests give their own. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Version of Node.js without `v`. */
  readonly nodeVersion: string;
  /** Where logins are kept. */
  readonly configFolder: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether somebody sits there who can answer. */
  readonly isInteractive: boolean;
  /** Aborts when the command is to stop. */
  readonly signal: AbortSignal;
  /** Between two questions whether a login was confirmed. */
  readonly pollIntervalMs: number;
  /** Tries to; the address is printed as well. */
  openBrowser(url: string): void;
  /** Asks a yes-or-no question; only where somebody can answer. */
  confirm(question: string): Promise<boolean>;
  /** Shows that something is going on, where a person looks on. */
  progress(label: string): Progress;
}

export interface Progress {
  say(text: string): void;
  end(): void;
}

/** Writes, and waits while the reader is slower. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error ? reject(error) : resolve()));
  });
}

/** A line for the person, beside the result. */
export function note(io: Pick<Io, 'stderr'>, text: string): Promise<void> {
  return write(io.stderr, `${text}\n`);
}

/** Resolves once the command is to stop. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
