import { expiredCliLoginRetentionMs, signInSourceMemoryMs } from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const signInPurgeRules: readonly PurgeRule[] = [
  {
    name: 'command-line logins',
    table: sql`cli_logins`,
    places: now => sql`select ctid from cli_logins where expires_at_millis <= ${now - expiredCliLoginRetentionMs}`,
  },
  {
    name: 'sign-in sources',
    table: sql`sign_in_sources`,
    places: now => sql`select ctid from sign_in_sources where last_success_at_millis <= ${now - signInSourceMemoryMs}`,
  },
  {
    name: 'sign-in devices',
    table: sql`sign_in_devices`,
    places: now => sql`select ctid from sign_in_devices where last_seen_at_millis <= ${now - signInSourceMemoryMs}`,
  },
];
