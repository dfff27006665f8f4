import { idempotencyKeyKeptMs } from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const idempotencyPurgeRules: readonly PurgeRule[] = [
  {
    name: 'idempotency keys',
    table: sql`idempotency_keys`,
    places: now => sql`select ctid from idempotency_keys where started_at_millis <= ${now - idempotencyKeyKeptMs}`,
  },
];
