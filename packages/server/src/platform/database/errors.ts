import pg from 'pg';

/** The database is unreachable, does not respond, or cannot write at the moment: a 503, not a defect of ours. */
export class DatabaseAway extends Error {
  override readonly name: string = 'DatabaseAway';
}

/** The connection broke during a commit: it is unknown whether the writes are in the database. */
export class CommitUnknown extends DatabaseAway {
  override readonly name = 'CommitUnknown';
}

/** The rows of a statement have more bytes than `Statement.maxResultBytes`. Its connection is closed. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge';
}

/** The name of the unique constraint or index that a statement violated; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined;
  return error.constraint;
}

/** The id of the row's project, if the project was deleted before the row was written. */
export function missingProject(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23503') return undefined;
  // The format is the same in every language: `Key (project_id)=(…) is not present in table "projects".`
  return error.constraint?.endsWith('_project_id_fkey') === true
    ? /\(project_id\)=\(([^)]+)\)/.exec(error.detail ?? '')?.[1]
    : undefined;
}

const conflictCodes = new Set(['40001', '40P01']);

/** A serialization failure or a deadlock: the transaction can be repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflictCodes.has(error.code ?? '');
}

/** The server of this connection accepts no writes: after a failover it may be the former primary. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

const statementTimeout = '57014';
/** Statement timeout, idle transaction ended, read-only, I/O error. */
const awayCodes = new Set([statementTimeout, '25P03', '25006', '58030']);
/** Connection errors, insufficient resources (disk, memory, connections), shutdown and start-up. */
const awayClasses = /^(08|53|57P0)/;
const awayErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of `pg` errors that have no code. */
const awayMessages =
  /^(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Of a request or a job. A migration that gets no lock fails instead: it would keep requests waiting with each attempt. */
const lockTimeout = '55P03';

/** The error that callers get: `DatabaseAway` for every temporary failure. */
export function translate(error: unknown): unknown {
  const isLocked = error instanceof pg.DatabaseError && error.code === lockTimeout;
  if (error instanceof DatabaseAway || !(isLocked || isAway(error))) return error;
  return new DatabaseAway('the database is away', { cause: error });
}

/** Whether a connection is unusable after this error. After a cancelled statement it is usable. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof ResultTooLarge) return true;
  return isAway(error) && !(error instanceof pg.DatabaseError && error.code === statementTimeout);
}

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof pg.DatabaseError) return awayCodes.has(code) || awayClasses.test(code);
  return awayErrnos.has(code) || awayMessages.test(error.message);
}
