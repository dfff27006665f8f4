import { KnownError, RequestError } from '@tessera/client';
import { describeDatabaseFailure } from '@tessera/server/database-failure';

/** Exit codes; 0 is success. */
export const exitCodes = { failed: 1, usageError: 2 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command. `message` says in a few sentences what is wrong and how to fix it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** The command line is invalid. */
export function usageError(message: string): Failure {
  return new Failure(message, exitCodes.usageError);
}

/** Errors whose messages are written for the operator. */
const ownErrors = new Set(['SettingsError', 'EmbeddedPostgresError', 'OperatorError']);

/** Converts any error into a message for the user. An unexpected error is a defect, so it keeps its stack. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Failure(String(error));
  if (ownErrors.has(error.name)) return new Failure(error.message);
  if (error instanceof RequestError) return new Failure(requestSentence(error), exitCodes.failed, error);
  if (error instanceof KnownError) return new Failure(knownSentence(error), exitCodes.failed, error);
  return systemFailure(error) ?? new Failure(error.stack ?? error.message, exitCodes.failed, error);
}

function requestSentence(error: RequestError): string {
  // The lines after the first are for developers who read a browser console.
  return error.message.split('\n')[0] ?? error.message;
}

const hints: Record<string, string> = {
  INVALID_PUBLISHABLE_CLIENT_KEY: 'Check TESSERA_PUBLISHABLE_CLIENT_KEY and the project id, or run `tessera doctor`.',
  INVALID_SECRET_SERVER_KEY: 'Check TESSERA_SECRET_SERVER_KEY and the project id, or run `tessera doctor`.',
  INVALID_SUPER_SECRET_ADMIN_KEY: 'Check TESSERA_SUPER_SECRET_ADMIN_KEY and the project id, or run `tessera doctor`.',
  ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN: 'Log in as an owner of this project: tessera login --project internal',
  REAUTHENTICATION_REQUIRED:
    'Sign out and in again in the browser, then log in: tessera login --project internal. A command with a key does not need it.',
};

function knownSentence(error: KnownError): string {
  const hint = hints[error.errorCode];
  return `${error.message} (${error.errorCode})${hint === undefined ? '' : `\n${hint}`}`;
}

/** Messages for error codes of the system. */
const systemSentences: Record<string, (error: Error) => string> = {
  EADDRINUSE: error => `The port is in use (${error.message}). Choose another port with --port.`,
  EACCES: error => `Permission denied (${error.message}). Change the owner, or choose another place.`,
  ENOENT: error => `A file is missing (${error.message}).`,
  EISDIR: () => 'The path is a folder. Name a file.',
  ENOSPC: () => 'The disk is full. Free some space and try again.',
};

function systemFailure(error: Error): Failure | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const sentence = describeDatabaseFailure(error) ?? systemSentences[code]?.(error);
  return sentence === undefined ? undefined : new Failure(sentence, exitCodes.failed, error);
}
