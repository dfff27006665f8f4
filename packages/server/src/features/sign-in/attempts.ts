import { KnownError } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { type AuditedCall, auditedBy } from '../audit/index.ts';

interface FailedSignIn {
  readonly method: string;
  /** The code of the refusal, or its sentence where it has none. */
  readonly reason: string;
  /** Undefined when it is not known who was meant. */
  readonly userId?: string | undefined;
}

/**
 * Records a refused sign-in in the audit log (control 97), after the response. Repetitions are counted by account, or by
 * the caller's address block where the account is not known.
 */
export function recordFailedSignIn(call: AuditedCall, failed: FailedSignIn, deps: Pick<Deps, 'audit' | 'clock'>): void {
  const { method, reason, userId = null } = failed;
  const details = { method, reason };
  const event = { ...auditedBy(call), action: 'sign_in.failed', userId, details, atMillis: deps.clock.now() } as const;
  const who = userId ?? call.source.block ?? 'unknown';
  deps.audit.recordFailure(event, [call.project.id, method, reason, who].join(' '));
}

/** Takes what becomes known of an attempt on its way: who was meant, by which method, what was wrong. */
export type Learn = (more: Partial<FailedSignIn>) => void;

/**
 * Signs in, and tells the audit log when that fails.
 *
 * @param method until more is known
 */
export async function auditedSignIn<T>(
  call: AuditedCall,
  method: string,
  signIn: (learn: Learn) => Promise<T>,
  deps: Pick<Deps, 'audit' | 'clock'>,
): Promise<T> {
  let known: Partial<FailedSignIn> = {};
  const learn: Learn = more => {
    known = { ...known, ...more };
  };
  try {
    return await signIn(learn);
  } catch (error) {
    const reason = known.reason ?? reasonOf(error);
    if (reason !== undefined) recordFailedSignIn(call, { method, ...known, reason }, deps);
    throw error;
  }
}

/** Undefined for what is no failed sign-in: something of ours that broke, or that has to wait. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.message;
  // The demand for a second factor is no failure: the first one was right.
  const isFailure = KnownError.isKnownError(error) && error.errorCode !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED';
  return isFailure ? error.errorCode : undefined;
}
