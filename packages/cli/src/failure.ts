import { KnownError, RequestError } from '@tessera/client';

/** 0 is success. */
export const exitCodes = { failed: 1, wrongUse: 2 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command. `message` is one sentence for the person, or a few: what is wrong, and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** The command was called in a way that it does not understand. */
export function wrongUse(message: string): Failure {
  return new Failure(message, exitCodes.wrongUse);
}

/** Their messages are written for the operator already. */
const ownErrors = new Set(['SettingsError', 'EmbeddedPostgresError', 'OperatorError']);

/** Any error as what a person needs to know. One that nobody foresaw keeps its stack: it is a defect. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Failure(String(error));
  if (ownErrors.has(error.name)) return new Failure(error.message);
  if (error instanceof RequestError) return new Failure(requestSentence(error), exitCodes.failed, error);
  if (error instanceof KnownError) return new Failure(knownSentence(error), exitCodes.failed, error);
  return systemFailure(error) ?? new Failure(error.stack ?? error.message, exitCodes.failed, error);
}

function requestSentence(error: RequestError): string {
  // What follows the first line is for whoever reads the console of a browser.
  return error.message.split('\n')[0] ?? error.message;
}

const hints: Record<string, string> = {
  INVALID_PUBLISHABLE_CLIENT_KEY:
    'Check TESSERA_PUBLISHABLE_CLIENT_KEY and the project id; `tessera doctor` tells more.',
  INVALID_SECRET_SERVER_KEY: 'Check TESSERA_SECRET_SERVER_KEY and the project id; `tessera doctor` tells more.',
  INVALID_SUPER_SECRET_ADMIN_KEY:
    'Check TESSERA_SUPER_SECRET_ADMIN_KEY and the project id; `tessera doctor` tells more.',
  ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN: 'Log in as somebody who owns this project: tessera login --project internal',
};

function knownSentence(error: KnownError): string {
  const hint = hints[error.errorCode];
  return `${error.message} (${error.errorCode})${hint === undefined ? '' : `\n${hint}`}`;
}

const away = 'Is it running, and is DATABASE_URL right?';

/** Sentences for what the system and PostgreSQL say by a code. */
const systemSentences: Record<string, (error: Error) => string> = {
  ECONNREFUSED: error => `The connection was refused (${error.message}). ${away}`,
  ENOTFOUND: error => `The host is not known (${error.message}). ${away}`,
  EAI_AGAIN: error => `The host cannot be looked up at the moment (${error.message}). ${away}`,
  EADDRINUSE: error => `The port is taken (${error.message}). Choose another one with --port.`,
  EACCES: error => `This may not be used by you (${error.message}). Change its owner, or choose another place.`,
  ENOSPC: () => 'The disk is full. Make room and try again.',
  '28P01': error => `The database refuses the password (${error.message}). Correct it in DATABASE_URL.`,
  '28000': error => `The database refuses the account (${error.message}). Correct it in DATABASE_URL.`,
  '3D000': error => `There is no such database (${error.message}). Create it, or correct DATABASE_URL.`,
  '42501': error => `The database account may not do this (${error.message}). Give it the rights of the owner.`,
  '53100': () => 'The disk of the database is full. Make room and try again; nothing was changed.',
};

function systemFailure(error: Error): Failure | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const sentence = systemSentences[code];
  return sentence === undefined ? undefined : new Failure(sentence(messageOf(error)), exitCodes.failed, error);
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: Error): Error {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message === '' && first instanceof Error ? first : error;
}
