import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasErrno } from './failures.ts';
import { readIfThere } from './files.ts';

/** The content of `postmaster.pid`. */
export interface PidFile {
  pid: number;
  socketDir: string;
  /** True when the server accepts connections. */
  isReady: boolean;
}

/** Reads the `postmaster.pid` of a cluster; undefined when the file does not exist or is incomplete. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  return parsePidFile((await readIfThere(pidFilePath(cluster))) ?? '');
}

/** Lines: pid, data directory, start time, port, socket folder, address, shared memory, status. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isInteger(pid)) return undefined;
  return { pid: Math.abs(pid), socketDir: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
}

/** Whether a process is the postmaster of a cluster, and not another one that reuses its process id. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'win32') return isRunning(pid);
  return (await commandLine(pid)).endsWith(`/postgres -D ${cluster}`);
}

/**
 * Changes the `postmaster.pid` of a dead postmaster so that PostgreSQL recognises it as stale, even when another process
 * reuses the process id: PostgreSQL ignores its parent's id. The file is not deleted, because it also names the shared
 * memory by which PostgreSQL detects backends that outlived their postmaster.
 */
export async function markPidFileStale(cluster: string): Promise<void> {
  const path = pidFilePath(cluster);
  if (process.platform === 'win32') return rm(path, { force: true });

  const text = await readIfThere(path);
  if (text !== undefined) await writeFile(path, text.replace(/^[^\n]*/, String(process.pid)));
}

function pidFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function commandLine(pid: number): Promise<string> {
  return process.platform === 'linux' ? commandLineFromProc(pid) : commandLineFromPs(pid);
}

/** `/proc/…/cwd` has the same information, but root in a container may not read that of another account. */
async function commandLineFromProc(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replace(/\0$/, '').replaceAll('\0', ' ');
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

async function commandLineFromPs(pid: number): Promise<string> {
  try {
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout.trimEnd();
  } catch (error) {
    // `ps` exits with 1 when the process does not exist.
    if (error instanceof Error && 'code' in error && error.code === 1) return '';
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrno(error, 'EPERM');
  }
}
