import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { debianPostgresFolder } from '@tessera/testing/debian-postgres';

const stopPatienceMs = 30_000;

/** The programs of Debian 12, with the packages that bring them. */
const programs = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': join(debianPostgresFolder, 'postgres'),
};

export const { patroni, 'etcd-server': etcd, haproxy } = programs;
export const missingPackages = Object.keys(programs).filter(name => !existsSync(programs[name]));

const faketimeFile = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** The library that gives a process another clock; undefined where Debian's package libfaketime is missing. */
export const faketime = existsSync(faketimeFile) ? faketimeFile : undefined;

export const isRoot = userInfo().uid === 0;

/** The account of PostgreSQL, which refuses to run as root. Debian's package creates it. */
export const postgresAccount = isRoot ? accountOf('postgres') : undefined;

function accountOf(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(one => one.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [uid, gid] = line.split(':').slice(2, 4).map(Number);
  return { uid, gid };
}

/**
 * Starts a program that writes its output into a file.
 *
 * @param {{ program: string, args: string[], log: string, cwd: string, account?: { uid: number, gid: number } }} options
 */
export async function startProgram({ program, args, log, cwd, account }) {
  const output = await open(log, 'a');
  // The local clock, the language and the home of the caller have no influence.
  const env = { PATH: `${debianPostgresFolder}:${process.env.PATH}`, HOME: cwd, LC_ALL: 'C.UTF-8' };
  const child = spawn(program, args, { ...account, cwd, env, stdio: ['ignore', output.fd, output.fd] });
  await once(child, 'spawn');
  await output.close();
  const end = async signal => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
    await ended;
    clearTimeout(force);
  };
  return { pid: child.pid, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
