import { expiredChallengeRetentionMs, expiredCodeRetentionMs } from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const codePurgeRules: readonly PurgeRule[] = [
  {
    name: 'one-time codes',
    table: sql`one_time_codes`,
    places: now => sql`select ctid from one_time_codes where expires_at_millis <= ${now - expiredCodeRetentionMs}`,
  },
  {
    name: 'challenges',
    table: sql`one_time_codes`,
    // Any caller can create them, so they are not kept to report their age. The index has the same condition.
    places: now => sql`
      select ctid from one_time_codes
      where kind in ('passkey_registration', 'passkey_authentication', 'mfa_attempt')
        and expires_at_millis <= ${now - expiredChallengeRetentionMs}
    `,
  },
];
