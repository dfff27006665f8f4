import type { PurgeRule } from '../database/purge.ts';
import { sql } from '../database/sql.ts';

export const rateLimitPurgeRules: readonly PurgeRule[] = [
  {
    name: 'counters of limits',
    table: sql`rate_limits`,
    // The times are those of the process clock.
    places: () => sql`select ctid from rate_limits where expire <= ${Date.now()}`,
  },
];
