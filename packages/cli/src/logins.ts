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
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';

/** A login: server, project and session. */
export interface Login {
  /** Base address of the server, without `/api/v1`. */
  readonly apiUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly refreshToken: string;
}

type Place = Pick<Login, 'apiUrl' | 'projectId'>;

const onlyOwner = 0o600;
const onlyOwnersFolder = 0o700;

/** All logins, the latest one last. */
export function readLogins(folder: string): Login[] {
  const file = fileIn(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return parseLogins(text) ?? failDamagedFile(file);
}

export function findLogin(folder: string, place: Place): Login | undefined {
  return readLogins(folder).find(login => isAt(login, place));
}

/** Saves a login. It replaces an earlier login at the same place. */
export function saveLogin(folder: string, login: Login): void {
  changeLogins(folder, logins => [...logins.filter(other => !isAt(other, login)), login]);
}

/** Saves a rotated refresh token. A login that was deleted in the meantime stays deleted. */
export function renewLogin(folder: string, place: Place, refreshToken: string): void {
  changeLogins(folder, logins => logins.map(login => (isAt(login, place) ? { ...login, refreshToken } : login)));
}

/** Deletes a login, and the file with the last one. */
export function removeLogin(folder: string, place: Place): void {
  changeLogins(folder, logins => logins.filter(login => !isAt(login, place)));
}

/** Without the lock, of two commands that change the file at the same time, one would undo the change of the other. */
function changeLogins(folder: string, change: (logins: readonly Login[]) => readonly Login[]): void {
  mkdirSync(folder, { recursive: true, mode: onlyOwnersFolder });
  const lock = `${fileIn(folder)}.lock`;
  takeLock(lock);
  try {
    const logins = change(readLogins(folder));
    if (logins.length === 0) rmSync(fileIn(folder), { force: true });
    else store(folder, logins);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A change needs milliseconds and no signal interrupts it, so the process of an older lock was killed. */
const lockMaxAgeMs = 5_000;
const lockRetryMs = 10;

/** Waits until no other process has the lock. */
function takeLock(lock: string): void {
  while (!createLock(lock)) {
    const ageMs = Math.abs(Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()));
    if (ageMs > lockMaxAgeMs) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockRetryMs);
  }
}

/** @returns false when the file exists */
function createLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', onlyOwner));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function fileIn(folder: string): string {
  return join(folder, 'logins.json');
}

function isAt(login: Place, { apiUrl, projectId }: Place): boolean {
  return login.apiUrl === apiUrl && login.projectId === projectId;
}

/** Writes the file atomically, readable only by its owner. A failure leaves it as it was. */
function store(folder: string, logins: readonly Login[]): void {
  const file = fileIn(folder);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeDraft(draft, `${JSON.stringify({ logins }, null, 2)}\n`);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeDraft(draft: string, text: string): void {
  const handle = openSync(draft, 'wx', onlyOwner);
  try {
    // On a nearly full disk `writeSync` writes a part and reports no error.
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  // The umask of the process does not apply.
  chmodSync(draft, onlyOwner);
}

function parseLogins(text: string): Login[] | undefined {
  try {
    const { logins } = JSON.parse(text);
    return Array.isArray(logins) && logins.every(isLogin) ? logins : undefined;
  } catch {
    // Not JSON: another program wrote the file.
    return undefined;
  }
}

function isLogin(value: unknown): value is Login {
  const { apiUrl, projectId, publishableClientKey, refreshToken }: Record<string, unknown> = Object(value);
  return [apiUrl, projectId, publishableClientKey, refreshToken].every(part => typeof part === 'string');
}

function failDamagedFile(file: string): never {
  throw new Failure(`The login file is damaged. Delete it and log in again: rm ${file}`);
}
