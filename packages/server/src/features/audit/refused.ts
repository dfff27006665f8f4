import type { Endpoint, Json } from '@tessera/protocol';
import { KnownError, parseUrl } from '@tessera/protocol';
import { type AuditedCall, RefusedUser } from '../../core/audit-event.ts';
import type { Call } from '../../core/call.ts';
import { ErrorWithHeaders, Refusal } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type LimitedAccount, LimitReached } from '../../platform/rate-limits/index.ts';
import type { FailureEvent } from './failures.ts';
import { auditedBy } from './rules.ts';
import type { AuditWriter } from './writer.ts';

interface RefusalAuditDeps {
  readonly audit: AuditWriter;
  readonly clock: Clock;
}

/**
 * Records requests that a rate limit refuses, and requests of a sign-in that are refused for another reason. Of equal ones
 * a window has a few, then their count.
 */
export function createRefusalAudit(deps: RefusalAuditDeps): (endpoint: Endpoint, call: Call, error: unknown) => void {
  return (endpoint, call, error) => {
    const { project, level } = call;
    if (project === null || level === null) return;
    const audited = { ...call, project, level };
    if (recordLimit(audited, error, deps) || endpoint.tag !== 'Sign-in') return;
    const refusal = describeRefusal(error);
    if (refusal === undefined || deps.audit.hasFailureOf(call.source)) return;
    const route = `${endpoint.method} ${endpoint.path}`;
    const { userId = call.user?.id ?? null, ...described } = refusal;
    const details = { route, ...described, ...redirectDetails(refusal.reason, call.body) };
    const event = { ...auditedBy(audited), action: 'sign_in.refused', userId, details } as const;
    const kind = [project.id, route, refusal.reason, userId ?? call.source.block];
    deps.audit.recordFailure({ ...event, atMillis: deps.clock.now() }, kind.join(' '));
  };
}

/**
 * Records a request that a rate limit refused. Repetitions are counted by account where the limit has one, as failed
 * sign-ins are, else by address block.
 *
 * @returns false for every other error
 */
export function recordLimit(call: AuditedCall, error: unknown, { audit, clock }: RefusalAuditDeps): boolean {
  const cause = error instanceof ErrorWithHeaders ? error.cause : error;
  if (!(cause instanceof LimitReached)) return false;
  const event = {
    ...auditedBy(call),
    ...affectedBy(cause.account),
    action: 'limit.reached',
    details: { limit: cause.limit },
    atMillis: clock.now(),
  } as const;
  const who = event.userId ?? event.userAddress ?? call.source.block;
  audit.recordFailure(event, [call.project.id, 'limit.reached', cause.limit, who].join(' '));
  return true;
}

function affectedBy(account: LimitedAccount | undefined): Pick<FailureEvent, 'userId' | 'userAddress'> {
  if (account === undefined) return {};
  return 'userId' in account ? { userId: account.userId } : { userAddress: account.address };
}

/**
 * The code of a refused sign-in, or its sentence where it has no code, with the cause and the user that it names. Undefined
 * for internal errors and rate limits.
 */
export function describeRefusal(error: unknown): { reason: string; cause?: string; userId?: string } | undefined {
  const thrown = error instanceof ErrorWithHeaders ? error.cause : error;
  if (thrown instanceof Refusal) {
    return { reason: thrown.message, ...(thrown.auditCause !== undefined && { cause: thrown.auditCause }) };
  }
  // MULTI_FACTOR_AUTHENTICATION_REQUIRED is no failure: the first factor was right.
  const isFailure = KnownError.isKnownError(thrown) && thrown.errorCode !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED';
  if (!isFailure) return undefined;
  return { reason: thrown.errorCode, ...(thrown.cause instanceof RefusedUser && { userId: thrown.cause.userId }) };
}

const redirectNames = ['callback_url', 'verification_callback_url', 'redirect_uri'];

/** The origin that is not trusted, which the admin may want to add. The path may have secrets. */
function redirectDetails(reason: string, body: unknown): { redirect_origin?: Json } {
  if (reason !== 'REDIRECT_URL_NOT_WHITELISTED' || typeof body !== 'object' || body === null) return {};
  const sent = Object.entries(body).find(([name, value]) => redirectNames.includes(name) && typeof value === 'string');
  const origin = sent === undefined ? undefined : originOf(String(sent[1]));
  return origin === undefined ? {} : { redirect_origin: origin };
}

/** The origin of a URL; undefined for a URL without one. */
export function originOf(address: string): string | undefined {
  const origin = parseUrl(address)?.origin;
  return origin === 'null' ? undefined : origin;
}
