import { failedJobRetentionMs } from '@tessera/protocol';
import type { PurgeRule } from '../database/purge.ts';
import { sql } from '../database/sql.ts';

export const queuePurgeRules: readonly PurgeRule[] = [
  {
    name: 'jobs that were given up',
    table: sql`graphile_worker._private_jobs`,
    // The queue writes `run_at` with the clock of the database, in the statement itself.
    places: () => sql`
      select ctid from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null
        and run_at <= now() - ${failedJobRetentionMs} * interval '1 millisecond'
    `,
  },
];
