import type { Project } from '../../core/project.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import { LimitReached, mailQuotaEventUses, mailQuotaUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { recordAudit } from '../audit/index.ts';

interface QuotaDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics: Metrics;
  readonly rateLimits: RateLimits;
}

/**
 * Takes one email from the mail quota of a project (control 72). An exceeded quota adds an audit event, at most once an
 * hour, and counts in a metric.
 *
 * @returns the delay of the email in milliseconds; 0 when it was taken
 */
export async function takeFromMailQuota(
  project: Project,
  { isToVerifiedAccount }: { readonly isToVerifiedAccount: boolean },
  deps: QuotaDeps,
): Promise<number> {
  const waitSeconds = await spendOrWait(deps.rateLimits.spend(mailQuotaUses(project, isToVerifiedAccount)));
  if (waitSeconds === 0) return 0;
  deps.metrics.mailDeferred();
  if ((await spendOrWait(deps.rateLimits.spend(mailQuotaEventUses(project)))) === 0) {
    await recordAudit(deps.db, {
      projectId: project.id,
      action: 'project.mail_quota_reached',
      actor: { type: 'system', id: null },
      details: { retry_after_seconds: waitSeconds },
      atMillis: deps.clock.now(),
    });
  }
  return waitSeconds * 1000;
}

/** @returns 0 when the limits have taken the attempt, else the seconds until they take one */
export async function spendOrWait(spending: Promise<void>): Promise<number> {
  try {
    await spending;
    return 0;
  } catch (error) {
    if (error instanceof LimitReached) return error.retryAfterSeconds;
    throw error;
  }
}
