import { auditRetentionDays } from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const auditPurgeRules: readonly PurgeRule[] = [
  {
    name: 'audit log',
    table: sql`audit_events`,
    places: now => sql`
      select a.ctid from projects p
      join audit_events a on a.project_id = p.id
        and a.at_millis < ${now} - coalesce((p.config ->> 'auditRetentionDays')::bigint, ${auditRetentionDays}) * 86400000
    `,
    before: sql`select set_config('tessera.ends_audit', 'on', true)`,
  },
];
