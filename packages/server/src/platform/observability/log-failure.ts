import type { Log } from './log.ts';

/** Awaits work that follows a commit. Its failure is logged: the write has happened, so the request succeeds. */
export async function logFailure(work: Promise<unknown>, log: Log, message: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    log.warn({ error }, message);
  }
}
