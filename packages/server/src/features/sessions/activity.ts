import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EndUserPlace } from '../../platform/network/geo.ts';
import type { Log } from '../../platform/observability/log.ts';
import { insertActivity } from './store.ts';

/** A session was used: an access token was minted for it. */
export interface Activity {
  readonly projectId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly place: EndUserPlace | undefined;
  readonly atMillis: number;
}

/**
 * Writes activity behind the answers that cause it, many at once. A refresh so costs one read; what it tells may
 * appear a moment later (docs/contract/emails-webhooks-metrics.md#metrics), and the last moment is lost with a killed
 * process.
 */
export interface ActivityWriter {
  record(activity: Omit<Activity, 'atMillis'>): void;
  /** Everything that was recorded before is written, or given up, when this answers. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 100;
/** While the database is away, this much is kept. */
const maxKept = 20_000;

export function createActivityWriter(deps: { db: Database; clock: Clock; log: Log }): ActivityWriter {
  /** By session: of what one does within a moment, the last is enough. */
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
