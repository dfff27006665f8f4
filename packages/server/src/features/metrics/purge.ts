import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';
import { dayOf } from './rules.ts';

/** Days before today on which late activity may still be written. */
const openDays = 2;

export const metricsPurgeRules: readonly PurgeRule[] = [
  {
    name: 'days of activity',
    table: sql`metric_active_days`,
    // A past day has been counted; but while the rollup is behind, it may still contain one.
    places: now => sql`
      select a.ctid from projects p
      join metric_active_days a on a.project_id = p.id and a.day < ${dayOf(now) - openDays}
      where not exists (select from metric_progress where added_up_id < safe_id)
    `,
  },
];
