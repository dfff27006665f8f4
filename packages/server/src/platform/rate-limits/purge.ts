import type { PurgeRule } from '../database/purge.ts';
import { sql } from '../database/sql.ts';
import { processMillis } from './process-clock.ts';

export const rateLimitPurgeRules: readonly PurgeRule[] = [
  {
    name: 'counters of limits',
    table: sql`rate_limits`,
    // The library's counters end by the process clock, those of countInTransaction by the database clock.
    places: nowMillis => sql`select ctid from rate_limits where expire <= ${Math.min(nowMillis, processMillis())}`,
  },
];
