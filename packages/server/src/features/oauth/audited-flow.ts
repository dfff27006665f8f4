import type { AuditedCall } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditWriter, recordLimit } from '../audit/index.ts';
import { auditedSignIn, type Learn } from '../sign-in/index.ts';

/** The request of a browser or a public client in an OAuth sign-in: it sends no key, so the flow names the project. */
export function flowAttempt(
  project: AuditedCall['project'],
  source: AuditedCall['source'],
  user: AuditedCall['user'] = null,
): AuditedCall {
  return { project, level: 'client', user, ownerId: undefined, keySetId: undefined, source };
}

/**
 * Runs a step of an OAuth sign-in, and records its failure in the audit log. These requests carry no project, so that the
 * pipeline cannot record a limit for them.
 */
export async function auditedFlow<T>(
  call: AuditedCall,
  method: string,
  step: (learn: Learn) => Promise<T>,
  deps: { readonly audit: AuditWriter; readonly clock: Clock },
): Promise<T> {
  try {
    return await auditedSignIn(call, method, step, deps);
  } catch (error) {
    recordLimit(call, error, deps);
    throw error;
  }
}
