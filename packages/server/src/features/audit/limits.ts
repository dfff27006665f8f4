import type { Call } from '../../core/call.ts';
import { ErrorWithHeaders } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { LimitReached } from '../../platform/rate-limits/index.ts';
import { auditedBy } from './rules.ts';
import type { AuditWriter } from './writer.ts';

/** Records requests that a rate limit refuses: for each limit and address the first one of a window, then their count. */
export function createLimitAudit({
  audit,
  clock,
}: {
  audit: AuditWriter;
  clock: Clock;
}): (call: Call, error: unknown) => void {
  return (call, error) => {
    const cause = error instanceof ErrorWithHeaders ? error.cause : error;
    if (!(cause instanceof LimitReached) || cause.limit === undefined) return;
    const { project, level, source } = call;
    if (project === null || level === null) return;
    const event = {
      ...auditedBy({ ...call, project, level }),
      action: 'limit.reached',
      details: { limit: cause.limit },
      atMillis: clock.now(),
    } as const;
    audit.recordFailure(event, [project.id, 'limit.reached', cause.limit, source.block].join(' '));
  };
}
