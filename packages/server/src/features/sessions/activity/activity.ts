import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { EndUserPlace } from '../../../platform/network/geo.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { insertActivity } from './store.ts';

/** One use of a session: an access token was issued for it. */
export interface Activity {
  readonly projectId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly place: EndUserPlace | undefined;
  readonly atMillis: number;
}

/**
 * Writes activity in batches after the responses, so that a refresh costs one read. Metrics see it with a delay
 * (docs/contract/emails-webhooks-metrics.md#metrics). A killed process loses the last batch.
 */
export interface ActivityWriter {
  record(activity: Omit<Activity, 'atMillis'>): void;
  /** Resolves when all activity recorded before is written, or kept after a failure. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 100;
/** The number of activities that are kept while the database is unavailable. */
const maxKept = 20_000;

export function createActivityWriter(deps: { db: Database; clock: Clock; log: Log }): ActivityWriter {
  /** By session: within one batch the last use is enough. */
  let recorded = new Map<string, Activity>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, flushEveryMs);
    timer.unref();
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const batch = recorded;
    if (batch.size === 0) return;
    recorded = new Map();
    try {
      await insertActivity(deps.db.asyncCommit, [...batch.values()]);
    } catch (error) {
      deps.log.warn({ error, count: batch.size }, 'activity could not be written and is kept for later');
      recorded = new Map([...batch, ...recorded].slice(-maxKept));
    }
  }

  return {
    record(activity) {
      if (recorded.size >= maxKept) return;
      recorded.set(activity.sessionId, { ...activity, atMillis: deps.clock.now() });
      schedule();
    },
    flush,
    close: async () => {
      clearTimeout(timer);
      await flush();
    },
  };
}
