import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, print } from './terminal.mjs';

const waitLimitMs = 15 * 60_000;

/** Runs `body` while this process holds the lock file. Waits while another live process holds it. */
export async function withLock(file, body) {
  await acquire(file);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await body();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(file) {
  mkdirSync(dirname(file), { recursive: true });
  const startedAt = Date.now();
  let isReported = false;

  while (!tryCreate(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) {
      removeLeftover(file, holder);
      continue;
    }

    if (Date.now() - startedAt > waitLimitMs) {
      throw new Problem(
        `Process ${holder} has been setting up for 15 minutes. If it hangs, stop it and delete ${file}.`,
      );
    }
    if (!isReported) print(`Waiting for another setup in this folder (process ${holder ?? 'unknown'}) …`);
    isReported = true;
    await sleep(200);
  }
}

/** A hard link appears with its content, so a lock file always contains a process id. */
function tryCreate(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two processes may find the same stale lock. The slower one must not remove the new lock of the faster one. */
function removeLeftover(file, deadHolder) {
  const aside = `${file}.${process.pid}.leftover`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside) !== deadHolder) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
