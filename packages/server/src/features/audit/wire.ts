import type { Answer, auditEndpoints, Input, ownActivityEndpoints, SecurityAction } from '@tessera/protocol';
import type { Device } from '../../platform/network/device.ts';
import type { AuditFilter, AuditRow, UserNameRow } from './store.ts';

export type AuditView = Answer<typeof auditEndpoints.export>;

export function auditView(row: AuditRow): AuditView {
  const { subjectType, subjectId } = row;
  return {
    id: row.id,
    at_millis: row.atMillis,
    action: row.action,
    actor: { type: row.actorType, id: row.actorId },
    user_id: row.userId,
    subject: subjectType === null || subjectId === null ? null : { type: subjectType, id: subjectId },
    address: row.address,
    user_agent: row.userAgent,
    trace_id: row.traceId,
    details: row.details,
    before: row.before,
    after: row.after,
  };
}

type UserNameView = Answer<typeof auditEndpoints.list>['users'][number];

export function userNameView({ id, displayName, primaryEmail }: UserNameRow): UserNameView {
  return { id, display_name: displayName, primary_email: primaryEmail };
}

type SecurityEventView = Answer<typeof ownActivityEndpoints.list>['items'][number];

export function securityEventView(
  { id, atMillis, action }: AuditRow,
  { isOwn, address, device }: { isOwn: boolean; address: string | null; device: Device },
): SecurityEventView {
  return { id, at_millis: atMillis, action: action as SecurityAction, is_own: isOwn, address, device };
}

export function auditFilter(query: Input<typeof auditEndpoints.export>['query']): AuditFilter {
  return {
    action: query.action,
    actorId: query.actor_id,
    userId: query.user_id,
    traceId: query.trace_id,
    address: query.address,
    fromMillis: query.from_millis,
    toMillis: query.to_millis,
  };
}
