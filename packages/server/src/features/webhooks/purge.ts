import { webhookRetentionMs } from '@tessera/protocol';
import { type PurgeRule, selectOldRows } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

/** Messages are deleted with their deliveries and attempts. Deleted endpoints are kept as long as messages name them. */
export const webhookPurgeRules: readonly PurgeRule[] = [
  {
    name: 'webhook messages',
    table: sql`webhook_events`,
    places: nowMillis => selectOldRows(sql`webhook_events`, sql`created_at_millis`, nowMillis - webhookRetentionMs),
  },
  {
    name: 'webhook endpoints',
    table: sql`webhook_endpoints`,
    places: nowMillis => sql`
      select ctid from webhook_endpoints where deleted_at_millis < ${nowMillis - webhookRetentionMs}
    `,
  },
];
