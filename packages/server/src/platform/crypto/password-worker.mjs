// Plain JavaScript: a worker thread is started from a file, in the sources as in the build.
import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

const require = createRequire(import.meta.url);

/** Behind everything that answers requests: a login flood takes the cores that are free, and no others. */
const niceness = 10;

yieldToRequests();

parentPort?.on('message', ({ work, password, stored, parameters }) => {
  try {
    const value = work === 'hash' ? hashSync(password, parameters) : matches(password, stored);
    parentPort?.postMessage({ value });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});

function matches(password, stored) {
  // Only imported hashes are bcrypt, and each only until its first sign-in: few installations ever load it.
  return stored.startsWith('$2')
    ? require('@node-rs/bcrypt').verifySync(password, stored)
    : verifySync(stored, password);
}

/** Linux gives each thread a priority of its own; elsewhere the threads stay as they are. */
function yieldToRequests() {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), niceness);
  } catch {
    // No /proc, or not allowed: hashing is then as important as anything else.
  }
}
