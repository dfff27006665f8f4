import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type ClusterLocation, writePrivateFile } from './cluster-location.ts';
import { EmbeddedPostgresError, failureFromOutput, hasErrno } from './failures.ts';
import { exists } from './files.ts';
import { isPostmaster, markPidFileStale, readPidFile } from './pid-file.ts';
import { run, spawnOptions } from './run.ts';
import { accessRules, type Listener, serverSettings } from './settings.ts';

/** Gets messages for the operator. */
export type Log = (message: string, details?: object) => void;

/** Callbacks for the events of a server. */
export interface Watch {
  readonly log: Log;
  readonly onLaunch: () => void;
  readonly onUnexpectedEnd: () => void;
}

/** Where a server listens, and settings that replace fixed ones. */
export interface PostmasterSettings {
  readonly listener: Listener;
  readonly overrides: Readonly<Record<string, string>>;
}

/** A server that this process runs. */
export interface Postmaster {
  stop(): Promise<void>;
}

const pollMs = 5;
const slowStartMs = 5_000;
const fastShutdownMs = 30_000;
const immediateShutdownMs = 10_000;
const leftoverBackendsMs = 30_000;

/**
 * Starts PostgreSQL and resolves when it accepts connections. Crash recovery has no time limit. Backends whose
 * postmaster was killed keep the cluster locked until they end: the start is repeated until then.
 */
export async function startPostmaster(
  location: ClusterLocation,
  binaries: Binaries,
  { listener, overrides }: PostmasterSettings,
  watch: Watch,
): Promise<Postmaster> {
  await writePrivateFile(
    join(location.cluster, 'postgresql.conf'),
    serverSettings(listener, overrides),
    location.account,
  );
  await writePrivateFile(join(location.cluster, 'pg_hba.conf'), accessRules(listener), location.account);
  await rotateLog(location);

  const giveUpAt = Date.now() + leftoverBackendsMs;
  for (;;) {
    await markPidFileStale(location.cluster);
    const started = await tryStart(location, binaries, watch);
    if ('stop' in started) return started;
    if (!isHeldByLeftovers(started.output) || Date.now() > giveUpAt) {
      throw failureFromOutput(started.output, location.folder);
    }
    await delay(pollMs * 4);
    await stopLeftover(location, binaries, watch.log);
  }
}

/** Stops the postmaster that a killed Tessera process left running, if any. */
export async function stopLeftover(location: ClusterLocation, binaries: Binaries, log: Log): Promise<void> {
  const found = await readPidFile(location.cluster);
  if (!found || !(await isPostmaster(found.pid, location.cluster))) return;

  log('stopping the PostgreSQL that an earlier Tessera left running', { pid: found.pid });
  await stopProcess(location, binaries, found.pid);
}

async function tryStart(
  location: ClusterLocation,
  binaries: Binaries,
  watch: Watch,
): Promise<Postmaster | { output: string }> {
  return process.platform === 'win32' ? startWithPgCtl(location, binaries) : startAsChild(location, binaries, watch);
}

async function startAsChild(
  location: ClusterLocation,
  binaries: Binaries,
  watch: Watch,
): Promise<Postmaster | { output: string }> {
  const child = await spawnPostmaster(location, binaries);
  watch.onLaunch();
  if (!(await waitUntilReady(child, location, watch.log))) return { output: await readFile(logPath(location), 'utf8') };
  return supervise(child, location, binaries, watch);
}

/** Detached, so that Ctrl-C reaches Tessera only, which ends its requests before its database. */
async function spawnPostmaster(location: ClusterLocation, binaries: Binaries): Promise<ChildProcess> {
  const output = await open(logPath(location), 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, ['-D', location.cluster], {
      ...spawnOptions(location),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn');
    return child;
  } finally {
    await output.close();
  }
}

async function waitUntilReady(child: ChildProcess, location: ClusterLocation, log: Log): Promise<boolean> {
  const slowAt = Date.now() + slowStartMs;
  let isSlowLogged = false;
  while (!hasEnded(child)) {
    const found = await readPidFile(location.cluster);
    if (found?.pid === child.pid && found?.isReady) return true;
    if (!isSlowLogged && Date.now() > slowAt) {
      log('PostgreSQL is still starting; after a crash it repeats the last writes first', { log: logPath(location) });
      isSlowLogged = true;
    }
    await delay(pollMs);
  }
  return false;
}

function supervise(child: ChildProcess, location: ClusterLocation, binaries: Binaries, watch: Watch): Postmaster {
  const reportEnd = (code: number | null, signal: string | null) => {
    watch.log('PostgreSQL ended unexpectedly', { code, signal, log: logPath(location) });
    process.off('exit', interrupt);
    watch.onUnexpectedEnd();
  };
  // A process that exits without a stop still asks PostgreSQL to end: it sends a signal and does not wait.
  const interrupt = () => child.kill('SIGINT');
  child.once('exit', reportEnd);
  process.once('exit', interrupt);
  child.unref();

  return {
    async stop() {
      child.off('exit', reportEnd);
      process.off('exit', interrupt);
      if (hasEnded(child) || child.pid === undefined) return;
      child.ref();
      const ended = once(child, 'exit');
      await Promise.all([stopProcess(location, binaries, child.pid), ended]);
    },
  };
}

/** On Windows only `pg_ctl` can drop administrator rights, with which PostgreSQL refuses to run, and stop the server. */
async function startWithPgCtl(location: ClusterLocation, binaries: Binaries): Promise<Postmaster | { output: string }> {
  const outcome = await run(location, binaries.pgCtl, [
    ...['start', '--wait', '--timeout=3600', '--silent'],
    ...['--pgdata', location.cluster, '--log', logPath(location)],
  ]);
  if (outcome.code !== 0) return { output: outcome.output + (await readFile(logPath(location), 'utf8')) };
  return { stop: () => stopWithPgCtl(location, binaries) };
}

async function stopWithPgCtl(location: ClusterLocation, binaries: Binaries): Promise<void> {
  const outcome = await run(location, binaries.pgCtl, ['stop', '--wait', '--mode=fast', '--pgdata', location.cluster]);
  if (outcome.code !== 0) throw failureFromOutput(outcome.output, location.folder);
}

/** A fast shutdown writes all data to the disk; an immediate one leaves that to the recovery at the next start. */
async function stopProcess(location: ClusterLocation, binaries: Binaries, pid: number): Promise<void> {
  if (process.platform === 'win32') return stopWithPgCtl(location, binaries);

  if (await signalAndWait('SIGINT', pid, location, fastShutdownMs)) return;
  if (await signalAndWait('SIGQUIT', pid, location, immediateShutdownMs)) return;
  throw new EmbeddedPostgresError('START_FAILED', `PostgreSQL, process ${pid}, does not end. End it by hand.`);
}

async function signalAndWait(
  signal: NodeJS.Signals,
  pid: number,
  { cluster }: ClusterLocation,
  timeoutMs: number,
): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  sendSignal(pid, signal);
  while (await isPostmaster(pid, cluster)) {
    if (Date.now() > giveUpAt) return false;
    await delay(pollMs);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrno(error, 'ESRCH')) throw error;
  }
}

function isHeldByLeftovers(output: string): boolean {
  return /pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(output);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Each start has a log of its own. The previous log is kept, because it may show why PostgreSQL ended. */
async function rotateLog(location: ClusterLocation): Promise<void> {
  if (await exists(logPath(location))) await rename(logPath(location), `${logPath(location)}.1`);
}

function logPath({ folder }: ClusterLocation): string {
  return join(folder, 'postgres.log');
}
