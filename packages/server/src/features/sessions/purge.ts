import {
  activityRetentionMs,
  endedSessionRetentionMs,
  expiredSessionRetentionMs,
  rotatedTokenMemoryMs,
} from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const sessionPurgeRules: readonly PurgeRule[] = [
  {
    name: 'sessions',
    table: sql`sessions`,
    places: now => sql`select ctid from sessions where expires_at_millis <= ${now - expiredSessionRetentionMs}`,
  },
  {
    name: 'rotated refresh tokens',
    table: sql`rotated_refresh_tokens`,
    places: now =>
      sql`select ctid from rotated_refresh_tokens where rotated_at_millis <= ${now - rotatedTokenMemoryMs}`,
  },
  {
    name: 'ended sessions',
    table: sql`ended_sessions`,
    // By the clock of the database, which wrote the time.
    places: () => sql`
      select ctid from ended_sessions
      where ended_at <= now() - make_interval(secs => ${endedSessionRetentionMs / 1000})
    `,
  },
  {
    name: 'activity',
    table: sql`events`,
    // Only activity that has been counted; its counts stay in the metrics.
    places: now => sql`
      select ctid from events
      where at_millis <= ${now - activityRetentionMs} and id <= (select added_up_id from metric_progress)
    `,
  },
];
