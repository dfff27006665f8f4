import type { AuditedCall } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditWriter, auditedBy, describeRefusal } from '../audit/index.ts';

interface FailedSignIn {
  readonly method: string;
  /** The code of the refusal, or its sentence where it has no code. */
  readonly reason: string;
  /** Undefined when the account is not known. */
  readonly userId?: string | undefined;
  /**
   * What a provider complained about, `redirect` for a return address that is not trusted, or the cause that a refusal
   * without a code names.
   */
  readonly cause?: string | undefined;
  /** The origin that the user would return to. */
  readonly redirectOrigin?: string | undefined;
}

/**
 * Records a refused sign-in in the audit log (control 97), after the response. Repetitions are counted by account, or by
 * the caller's address block where the account is not known.
 */
export function recordFailedSignIn(
  call: AuditedCall,
  failed: FailedSignIn,
  deps: { readonly audit: AuditWriter; readonly clock: Clock },
): void {
  const { method, reason, userId = null, cause, redirectOrigin } = failed;
  const details = {
    method,
    reason,
    ...(cause === undefined ? {} : { cause }),
    ...(redirectOrigin === undefined ? {} : { redirect_origin: redirectOrigin }),
  };
  const event = { ...auditedBy(call), action: 'sign_in.failed', userId, details, atMillis: deps.clock.now() } as const;
  const who = userId ?? call.source.block ?? 'unknown';
  deps.audit.recordFailure(event, [call.project.id, method, reason, who].join(' '));
}

/** Adds what becomes known during an attempt: the account, the method, the reason of a failure. */
export type Learn = (more: Partial<FailedSignIn>) => void;

/**
 * Runs a sign-in, and records a failure in the audit log.
 *
 * @param method the method, until `learn` reports another one
 */
export async function auditedSignIn<T>(
  call: AuditedCall,
  method: string,
  signIn: (learn: Learn) => Promise<T>,
  deps: { readonly audit: AuditWriter; readonly clock: Clock },
): Promise<T> {
  let known: Partial<FailedSignIn> = {};
  const learn: Learn = more => {
    known = { ...known, ...more };
  };
  try {
    return await signIn(learn);
  } catch (error) {
    const refusal = describeRefusal(error);
    const reason = known.reason ?? refusal?.reason;
    if (reason !== undefined) recordFailedSignIn(call, { method, ...refusal, ...known, reason }, deps);
    throw error;
  }
}
