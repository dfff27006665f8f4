import type { AuditedCall } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditWriter, auditedBy } from '../audit/index.ts';

/** Records the end of a session that a user or a server ended. */
export function recordSessionEnd(
  call: AuditedCall,
  { userId, sessionId }: { userId: string | null; sessionId: string },
  deps: { readonly clock: Clock; readonly audit: AuditWriter },
): void {
  const details = { session_id: sessionId };
  deps.audit.record({ ...auditedBy(call), action: 'session.ended', userId, details, atMillis: deps.clock.now() });
}
