/** Why the embedded PostgreSQL cannot be started; each code has one cause and one remedy, named in the message. */
export type EmbeddedPostgresCode =
  | 'IN_USE'
  | 'OTHER_ACCOUNT'
  | 'UNKNOWN_ACCOUNT'
  | 'OTHER_VERSION'
  | 'POINTER_MISMATCH'
  | 'CLUSTER_MISSING'
  | 'UNSUPPORTED_PLATFORM'
  | 'DISK_FULL'
  | 'NO_PERMISSION'
  | 'NOT_A_FOLDER'
  | 'START_FAILED';

/** The embedded PostgreSQL cannot be started. `code` names the cause; `message` tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresCode;

  constructor(code: EmbeddedPostgresCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Whether a value is a system error with one of these codes, such as `ENOENT`. */
export function hasErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.some(code => code === error.code);
}

/** Converts the output of initdb, or the end of the server's log, to a failure. */
export function failureFromOutput(output: string, folder: string): EmbeddedPostgresError {
  if (/no space left on device|disk quota exceeded/i.test(output)) return diskFull(folder, output);
  if (/permission denied|operation not permitted|read-only file system/i.test(output)) {
    return noPermission(folder, output);
  }
  if (/could not look up effective user ID/.test(output)) return unknownAccount(output);
  return new EmbeddedPostgresError(
    'START_FAILED',
    `PostgreSQL does not start on ${folder}. Its output:\n${output.trim()}`,
  );
}

/** Converts a system error to a failure; other errors are returned unchanged. */
export function failureFromError(error: unknown, folder: string): unknown {
  if (hasErrno(error, 'ENOSPC', 'EDQUOT')) return diskFull(folder, error);
  if (hasErrno(error, 'EACCES', 'EPERM', 'EROFS')) return noPermission(error.path ?? folder, error);
  if (hasErrno(error, 'EEXIST', 'ENOTDIR')) return notAFolder(error.path ?? folder, error);
  return error;
}

function unknownAccount(cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'UNKNOWN_ACCOUNT',
    'PostgreSQL needs an account with a name, and the user id that Tessera runs under has none. Add it to /etc/passwd, run Tessera as another account, or set DATABASE_URL to a PostgreSQL of your own.',
    cause,
  );
}

function diskFull(folder: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DISK_FULL',
    `The disk that holds ${folder} is full. Free some space (a new database needs about 120 MB) and start again; nothing was lost.`,
    cause,
  );
}

/** The failure of a path that the account of Tessera cannot use. */
export function noPermission(path: string, cause: unknown): EmbeddedPostgresError {
  const detail = cause instanceof Error ? cause.message : String(cause).trim();
  return new EmbeddedPostgresError(
    'NO_PERMISSION',
    `Tessera may not use ${path}. Give it to the account that runs Tessera, set TESSERA_DATA_DIR to a folder of that account, or set DATABASE_URL to a PostgreSQL of your own; root keeps its databases in /var/lib/tessera. (${detail})`,
    cause,
  );
}

function notAFolder(path: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'NOT_A_FOLDER',
    `${path} is a file or lies below one, and Tessera needs a folder there. Move the file, or set TESSERA_DATA_DIR to another folder.`,
    cause,
  );
}
