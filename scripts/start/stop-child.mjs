import { print } from '../setup/terminal.mjs';

/**
 * Longer than any stop of the server: `TESSERA_DRAIN_GRACE` of at most 60 s, 10 s for requests, 10 s for jobs. A server
 * that is killed leaves its PostgreSQL behind.
 */
const stopWithinMs = 90_000;

/** Stops a child process, by force when it does not end in time. */
export async function stopChild({ name, process: child, ended }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const force = setTimeout(() => {
    print(`The ${name} did not stop within ${stopWithinMs / 1000} s and is killed.`);
    child.kill('SIGKILL');
  }, stopWithinMs);
  await ended;
  clearTimeout(force);
}
