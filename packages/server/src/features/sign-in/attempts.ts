import { KnownError } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type AuditedCall, auditedBy } from '../audit/index.ts';

interface FailedSignIn {
  readonly method: string;
  /** The code of the refusal. */
  readonly reason: string;
  /** Undefined when it is not known who was meant. */
  readonly userId?: string | undefined;
}

/** Tells the audit log of a sign-in that was refused (control 97), behind the answer: it takes no time of its own. */
export function recordFailedSignIn(call: AuditedCall, failed: FailedSignIn, deps: Pick<Deps, 'audit' | 'clock'>): void {
  const { method, reason, userId = null } = failed;
  const details = { method, reason };
  deps.audit.record({ ...auditedBy(call), action: 'sign_in.failed', userId, details, atMillis: deps.clock.now() });
}

/** Signs in by a method that does not know whom it refuses. */
export async function auditedSignIn<T>(
  call: AuditedCall,
  method: string,
  signIn: () => Promise<T>,
  deps: Pick<Deps, 'audit' | 'clock'>,
): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    // The demand for a second factor is no failure: the first one was right.
    if (KnownError.isKnownError(error) && error.errorCode !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') {
      recordFailedSignIn(call, { method, reason: error.errorCode }, deps);
    }
    throw error;
  }
}
