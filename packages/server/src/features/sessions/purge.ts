import {
  activityRetentionMs,
  endedSessionRetentionMs,
  expiredSessionRetentionMs,
  purgeBatchRows,
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
    // Only activity that has been counted; its counts stay in the metrics. The ids of a project ascend with time, so its first
    // rows are the oldest, and the primary key finds them however many rows were deleted before them.
    places: now => sql`
      select oldest.ctid from projects p
      cross join lateral (
        select ctid, at_millis from events
        where project_id = p.id and id <= (select added_up_id from metric_progress)
        order by id limit ${purgeBatchRows}
      ) oldest
      where oldest.at_millis <= ${now - activityRetentionMs} and exists (
        -- Of a project without such rows a few are read.
        select from (select at_millis from events where project_id = p.id order by id limit 20) first_rows
        where at_millis <= ${now - activityRetentionMs}
      )
    `,
  },
];
