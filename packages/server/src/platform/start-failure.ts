import { EmbeddedPostgresError } from '@tessera/embedded-postgres';
import { SettingsError } from '../env.ts';
import { describeDatabaseFailure } from './database/database-failure.ts';
import { OperatorError } from './operator-error.ts';

/** The meaning of system errors during a start, and their remedies for the operator. */
const systemFailures: Readonly<Record<string, (error: NodeJS.ErrnoException) => string>> = {
  EROFS: error =>
    `${describeLocation(error)} is on a read-only file system. Mount it writable, or set TESSERA_DATA_DIR to another folder.`,
  EACCES: error => `Tessera may not use ${describeLocation(error)}. Give it to the account that runs Tessera.`,
  EPERM: error => `Tessera may not use ${describeLocation(error)}. Give it to the account that runs Tessera.`,
  ENOSPC: error => `The disk that holds ${describeLocation(error)} is full. Free some space and start again.`,
  EADDRINUSE: error => `${describeLocation(error)} is in use by another program. Stop it, or set PORT to another port.`,
};

/** The message for a known failure of the start; undefined for every other failure, which is logged in full. */
export function describeStartFailure(error: unknown): string | undefined {
  if (error instanceof SettingsError) return `Tessera cannot start with these settings:\n${error.message}`;
  if (error instanceof OperatorError || error instanceof EmbeddedPostgresError) return error.message;
  if (!(error instanceof Error)) return undefined;
  return (
    (isSystemError(error) ? systemFailures[error.code ?? '']?.(error) : undefined) ?? describeDatabaseFailure(error)
  );
}

function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return 'code' in error && typeof error.code === 'string';
}

function describeLocation({ path, ...more }: NodeJS.ErrnoException): string {
  if (path !== undefined) return path;
  return 'port' in more ? `Port ${more.port}` : 'a file';
}
