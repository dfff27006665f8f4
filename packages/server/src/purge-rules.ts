import { auditPurgeRules } from './features/audit/purge.ts';
import { emailPurgeRules } from './features/email/purge.ts';
import { idempotencyPurgeRules } from './features/idempotency/purge.ts';
import { metricsPurgeRules } from './features/metrics/purge.ts';
import { oauthPurgeRules } from './features/oauth/purge.ts';
import { sessionPurgeRules } from './features/sessions/purge.ts';
import { signInPurgeRules } from './features/sign-in/purge.ts';
import { codePurgeRules } from './features/verification-codes/purge.ts';
import { webhookPurgeRules } from './features/webhooks/purge.ts';
import type { PurgeRule } from './platform/database/purge.ts';
import { queuePurgeRules } from './platform/queue/purge.ts';
import { rateLimitPurgeRules } from './platform/rate-limits/purge.ts';

/** The rules of the purge that runs every ten minutes, in this order. A feature with expiring rows adds a line. */
export const purgeRules: readonly PurgeRule[] = [
  ...sessionPurgeRules,
  ...codePurgeRules,
  ...signInPurgeRules,
  ...rateLimitPurgeRules,
  ...metricsPurgeRules,
  ...auditPurgeRules,
  ...queuePurgeRules,
  ...webhookPurgeRules,
  ...emailPurgeRules,
  ...oauthPurgeRules,
  ...idempotencyPurgeRules,
];
