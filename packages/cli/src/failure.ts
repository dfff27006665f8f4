import { KnownError, RequestError } from '@tessera/client';

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

const away = 'Check that it runs, and check DATABASE_URL.';

const badCertificate = (error: Error) =>
  `The certificate of the database is refused (${error.message}). If an authority of your own issued it, add sslmode=verify-full&sslrootcert=/path/to/ca.crt to DATABASE_URL.`;

/** Messages for error codes of the system and of PostgreSQL, and for the errors of its driver that have only a text. */
const systemSentences: Record<string, (error: Error) => string> = {
  ECONNREFUSED: error => `The connection was refused (${error.message}). ${away}`,
  ENOTFOUND: error => `The host name is unknown (${error.message}). ${away}`,
  EAI_AGAIN: error => `The host name cannot be resolved at the moment (${error.message}). ${away}`,
  EADDRINUSE: error => `The port is in use (${error.message}). Choose another port with --port.`,
  EACCES: error => `Permission denied (${error.message}). Change the owner, or choose another place.`,
  ENOENT: error => `A file is missing (${error.message}).`,
  EISDIR: () => 'The path is a folder. Name a file.',
  ENOSPC: () => 'The disk is full. Free some space and try again.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: badCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: badCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: badCertificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: badCertificate,
  CERT_HAS_EXPIRED: badCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: badCertificate,
  'The server does not support SSL connections': () =>
    'DATABASE_URL asks for TLS, and the database has none. Switch it on there (ssl = on), or remove sslmode from DATABASE_URL.',
  'Connection terminated unexpectedly': () =>
    'The database closed the connection. Check that it runs, and that DATABASE_URL leads to PostgreSQL.',
  '28P01': error => `The database refuses the password (${error.message}). Correct it in DATABASE_URL.`,
  '28000': error => `The database refuses the account (${error.message}). Correct it in DATABASE_URL.`,
  '3D000': error => `There is no such database (${error.message}). Create it, or correct DATABASE_URL.`,
  '25006': error =>
    `The database accepts no writes (${error.message}). Connect to the primary, and reset default_transaction_read_only of the database and the account.`,
  '42501': error => `The database account may not do this (${error.message}). Give it the rights of the owner.`,
  '53100': () => 'The disk of the database is full. Free some space and try again. Nothing was changed.',
};

function systemFailure(error: Error): Failure | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const sentence = systemSentences[code] ?? systemSentences[error.message];
  return sentence === undefined ? undefined : new Failure(sentence(messageOf(error)), exitCodes.failed, error);
}

/** A host with several addresses fails with one error for each address, and an empty message of its own. */
function messageOf(error: Error): Error {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message === '' && first instanceof Error ? first : error;
}
