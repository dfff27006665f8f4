import { AsyncLocalStorage } from 'node:async_hooks';
import type { Statement } from './sql.ts';

/** Whether the watched work has committed a write that PostgreSQL flushed to disk. */
export interface CommitWatch {
  hasCommitted: boolean;
}

const watches = new AsyncLocalStorage<CommitWatch>();
let running = 0;
/** `for update` locks a row and writes nothing. */
const writes = /\binsert into\b|\bdelete from\b|(?<!\bfor |\bkey )\bupdate\b/i;

/**
 * Runs `work` and notes its commits in `watch`. Asynchronous commits are not noted: they are counters and activity, which
 * may be written twice.
 */
export async function watchCommits<T>(watch: CommitWatch, work: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await watches.run(watch, work);
  } finally {
    running--;
    // Before Node 24 a storage that was used once makes each promise of the process cost three times as much.
    if (running === 0) watches.disable();
  }
}

/** Called after the commit of a transaction, or of a single statement. Every transaction counts as a write. */
export function noteCommit(statement?: Statement): void {
  const watch = watches.getStore();
  if (watch === undefined || watch.hasCommitted) return;
  watch.hasCommitted = statement === undefined || writes.test(statement.text);
}
