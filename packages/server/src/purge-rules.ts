import {
  activityRetentionMs,
  auditRetentionDays,
  expiredChallengeRetentionMs,
  expiredCliLoginRetentionMs,
  expiredCodeRetentionMs,
  expiredSessionRetentionMs,
  failedJobRetentionMs,
  rotatedTokenMemoryMs,
  signInSourceMemoryMs,
} from '@tessera/protocol';
import { emailPurgeRules } from './features/email/purge.ts';
import { idempotencyPurgeRules } from './features/idempotency/purge.ts';
import { dayOf } from './features/metrics/rules.ts';
import { oauthPurgeRules } from './features/oauth/purge.ts';
import { webhookPurgeRules } from './features/webhooks/purge.ts';
import type { PurgeRule } from './platform/database/purge.ts';
import { sql } from './platform/database/sql.ts';

/** Days before today on which late activity may still be written. */
const openDays = 2;

/** The rules of the purge that runs every ten minutes, in this order. A feature with expiring rows adds a line. */
export const purgeRules: readonly PurgeRule[] = [
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
    name: 'counters of limits',
    table: sql`rate_limits`,
    // The times are those of the process clock.
    places: () => sql`select ctid from rate_limits where expire <= ${Date.now()}`,
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
  {
    name: 'jobs that were given up',
    table: sql`graphile_worker._private_jobs`,
    // The times are those of the process clock.
    places: () => sql`
      select ctid from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null
        and run_at <= to_timestamp(${Date.now() - failedJobRetentionMs} / 1000.0)
    `,
  },
  ...webhookPurgeRules,
  ...emailPurgeRules,
  ...oauthPurgeRules,
  ...idempotencyPurgeRules,
];
