import {
  authorizationCodeKeptMs,
  authorizationCodeLifetimeMs,
  oauthFlowKeptMs,
  providerTestLifetimeMs,
} from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const oauthPurgeRules: readonly PurgeRule[] = [
  {
    name: 'OAuth flows without a callback',
    table: sql`oauth_flows`,
    places: now => sql`select ctid from oauth_flows where created_at_millis <= ${now - oauthFlowKeptMs}`,
  },
  {
    name: 'results of provider tests',
    table: sql`oauth_provider_tests`,
    places: now => sql`
      select ctid from oauth_provider_tests where created_at_millis <= ${now - providerTestLifetimeMs}
    `,
  },
  {
    name: 'authorization codes that were not exchanged',
    table: sql`oauth_authorization_codes`,
    places: now => sql`
      select ctid from oauth_authorization_codes
      where used_at_millis is null and created_at_millis <= ${now - authorizationCodeLifetimeMs}
    `,
  },
  {
    name: 'authorization codes',
    table: sql`oauth_authorization_codes`,
    places: now => sql`
      select ctid from oauth_authorization_codes where created_at_millis <= ${now - authorizationCodeKeptMs}
    `,
  },
];
