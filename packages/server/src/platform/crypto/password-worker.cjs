// Plain JavaScript: a worker thread starts from a file, both in the sources and in the build. CommonJS, because the loader of
// modules takes another 3 MB in each thread.
const { readlinkSync } = require('node:fs');
const { setPriority } = require('node:os');
const { parentPort } = require('node:worker_threads');
const { hashSync, verifySync } = require('@node-rs/argon2');

/** bcrypt ignores the bytes behind these. */
const bcryptMaxBytes = 72;

/** A lower priority than the threads that serve requests: a login flood uses only idle cores. */
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
  return stored.startsWith('$2') ? matchesBcrypt(password, stored) : verifySync(stored, password);
}

/** Only imported hashes are bcrypt, and only until the first sign-in: most installations never load it. */
function matchesBcrypt(password, stored) {
  const isMatch = require('@node-rs/bcrypt').verifySync(password, stored);
  // bcrypt reads no further, so a longer password would match with any end (control 4).
  return isMatch && Buffer.byteLength(password) <= bcryptMaxBytes;
}

/** Linux has a priority per thread; on other systems the priority is unchanged. */
function yieldToRequests() {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), niceness);
  } catch {
    // No /proc, or no permission: hashing runs at normal priority.
  }
}
