import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';

/** Who is logged in where. */
export interface Login {
  /** Of the server, without `/api/v1`. */
  readonly apiUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly refreshToken: string;
}

type Place = Pick<Login, 'apiUrl' | 'projectId'>;

const onlyOwner = 0o600;
const onlyOwnersFolder = 0o700;

/** All logins of this person, the latest one last. */
export function readLogins(folder: string): Login[] {
  const file = fileIn(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return parsed(text) ?? damaged(file);
}

export function findLogin(folder: string, place: Place): Login | undefined {
  return readLogins(folder).find(login => isAt(login, place));
}

/** Keeps a login, in the place of an earlier one there. */
export function saveLogin(folder: string, login: Login): void {
  store(folder, [...readLogins(folder).filter(other => !isAt(other, login)), login]);
}

/** Stores the refresh token that took the place of another one; a login that is gone meanwhile stays gone. */
export function renewLogin(folder: string, place: Place, refreshToken: string): void {
  store(
    folder,
    readLogins(folder).map(login => (isAt(login, place) ? { ...login, refreshToken } : login)),
  );
}

/** Forgets a login, and the file with the last one. */
export function removeLogin(folder: string, place: Place): void {
  const others = readLogins(folder).filter(login => !isAt(login, place));
  if (others.length === 0) rmSync(fileIn(folder), { force: true });
  else store(folder, others);
}

function fileIn(folder: string): string {
  return join(folder, 'logins.json');
}

function isAt(login: Place, { apiUrl, projectId }: Place): boolean {
  return login.apiUrl === apiUrl && login.projectId === projectId;
}

/** A crash leaves the old file or the new one; nobody else can read either, nor what is written meanwhile. */
function store(folder: string, logins: readonly Login[]): void {
  const file = fileIn(folder);
  mkdirSync(dirname(file), { recursive: true, mode: onlyOwnersFolder });
  const draft = `${file}.${randomUUID()}`;
  const handle = openSync(draft, 'wx', onlyOwner);
  try {
    writeSync(handle, `${JSON.stringify({ logins }, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  // Whatever the mask of the process says.
  chmodSync(draft, onlyOwner);
  renameSync(draft, file);
}

function parsed(text: string): Login[] | undefined {
  try {
    const { logins } = JSON.parse(text);
    return Array.isArray(logins) && logins.every(isLogin) ? logins : undefined;
  } catch {
    // Not JSON, so not our file.
    return undefined;
  }
}

function isLogin(value: unknown): value is Login {
  const { apiUrl, projectId, publishableClientKey, refreshToken }: Record<string, unknown> = Object(value);
  return [apiUrl, projectId, publishableClientKey, refreshToken].every(part => typeof part === 'string');
}

function damaged(file: string): never {
  throw new Failure(`The file with your logins is damaged. Delete it and log in again: rm ${file}`);
}
