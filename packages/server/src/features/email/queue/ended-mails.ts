import { setTimeout as pause } from 'node:timers/promises';
import { dropOldest } from '../../../platform/drop-oldest.ts';
import type { EndedMail } from './attempts.ts';
import type { MailId, MailRow } from './store.ts';

export interface EndedMails {
  /** Writes the end, and keeps it in memory until then. Fails when the database does not take it for some seconds. */
  record(id: string, ended: EndedMail): Promise<void>;
  /** For an email whose end is in memory: waits until it is written, as `record` does. Undefined for other emails. */
  waitFor(id: string): Promise<void> | undefined;
}

export interface EndedMailsOptions {
  /** Undefined when the email is not in the queue any more. */
  readonly find: (mail: MailId) => Promise<MailRow | undefined>;
  readonly write: (ended: EndedMail) => Promise<unknown>;
}

interface Entry {
  readonly id: string;
  readonly ended: EndedMail;
  isRecorded: boolean;
}

/** Ends in memory. Newer ones replace the oldest. */
const maxUnrecorded = 10_000;
const retryMs = 250;
/** The job waits this long, and so keeps its lock during a short outage. Less than the time that a stop waits for jobs. */
const waitMs = 5_000;

/**
 * The ends of emails whose outcome only this process knows. Those that the database did not take are written as soon as it
 * takes writes again: another process that takes over the job would send the email again.
 */
export function keepEndedMails({ find, write }: EndedMailsOptions): EndedMails {
  const unrecorded = new Map<string, Entry>();
  let isRetrying = false;

  function settle(entry: Entry): void {
    entry.isRecorded = true;
    unrecorded.delete(entry.id);
  }

  async function retry(): Promise<void> {
    if (isRetrying) return;
    isRetrying = true;
    while (unrecorded.size > 0) {
      await pause(retryMs, undefined, { ref: false });
      const [first, ...others] = unrecorded.values();
      // One email shows whether the database takes writes.
      if (first !== undefined && (await recordAgain(first))) await Promise.all(others.map(recordAgain));
    }
    isRetrying = false;
  }

  async function recordAgain(entry: Entry): Promise<boolean> {
    const { id, ended } = entry;
    try {
      // The write whose answer was lost may have taken place.
      if ((await find({ projectId: ended.sent.projectId, id })) !== undefined) await write(ended);
      settle(entry);
      return true;
    } catch {
      // The next time, another email is the first.
      if (unrecorded.delete(id)) unrecorded.set(id, entry);
      return false;
    }
  }

  async function waitForEntry(entry: Entry, error: unknown): Promise<void> {
    const endsAt = performance.now() + waitMs;
    while (!entry.isRecorded) {
      if (performance.now() > endsAt) throw error;
      await pause(retryMs);
    }
  }

  return {
    record: async (id, ended) => {
      const entry: Entry = { id, ended, isRecorded: false };
      unrecorded.set(id, entry);
      dropOldest(unrecorded, maxUnrecorded);
      try {
        await write(ended);
        settle(entry);
      } catch (error) {
        void retry();
        await waitForEntry(entry, error);
      }
    },
    waitFor: id => {
      const entry = unrecorded.get(id);
      return entry && waitForEntry(entry, new Error('the database does not take the end of the email'));
    },
  };
}
