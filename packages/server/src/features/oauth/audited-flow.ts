import type { AuditedCall } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditWriter, recordLimit } from '../audit/index.ts';
import { auditedSignIn, type Learn } from '../sign-in/index.ts';

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
