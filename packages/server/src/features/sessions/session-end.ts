import type { AuditEvent, AuditedCall } from '../../core/audit-event.ts';
import { auditedBy } from '../audit/index.ts';

/** The audit event of a session that a user or a server ended. */
export function sessionEndedEvent(
  call: AuditedCall,
  ended: { readonly userId: string | null; readonly sessionId: string; readonly atMillis: number },
): AuditEvent {
  const { userId, sessionId, atMillis } = ended;
  return { ...auditedBy(call), action: 'session.ended', userId, details: { session_id: sessionId }, atMillis };
}
