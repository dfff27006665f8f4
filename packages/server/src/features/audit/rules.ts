import type { Endpoint } from '@tessera/protocol';
import type { AuditActor, AuditEvent, AuditedCall } from '../../core/audit-event.ts';
import type { Call } from '../../core/call.ts';
import type { AuditRow } from './store.ts';

/** Endpoints with these tags record events of their own. */
const selfAuditingTags: ReadonlySet<Endpoint['tag']> = new Set<Endpoint['tag']>(['Sign-in', 'Sessions', 'API keys']);

/**
 * The event for a change at level admin, at any level by a person who manages the project (control 97), or in an
 * impersonation: what it does, such as an invitation, can outlive it (control 34). Path parameters are ids and are
 * recorded. Of the body only the names of the changed fields are recorded: their values may be secrets.
 */
export function adminRequestEvent(endpoint: Endpoint, call: Call, nowMillis: number): AuditEvent | undefined {
  const { level, project, ownerId } = call;
  if (level === null || project === null) return undefined;
  const changesNothing = endpoint.method === 'GET' || endpoint.changesNothing === true;
  const hasOwnEvent = endpoint.recordsItsChange === true || selfAuditingTags.has(endpoint.tag);
  if (changesNothing || hasOwnEvent) return undefined;
  const by = auditedBy({ ...call, level, project });
  if (level !== 'admin' && ownerId === undefined && by.impersonatedUserId === undefined) return undefined;
  const params = call.params as Record<string, string> | undefined;
  return {
    ...by,
    action: 'admin.request',
    userId: params?.user_id === undefined ? (by.impersonatedUserId ?? null) : (call.targetUserId ?? params.user_id),
    details: {
      route: `${endpoint.method} ${endpoint.path}`,
      ...(params === undefined ? {} : { params }),
      ...changedFields(endpoint, call.body),
    },
    atMillis: nowMillis,
  };
}

/** The names of the fields that a request changes. @param body already validated, so its names are those of the schema */
export function changedFields({ method }: { readonly method: string }, body: unknown): { fields?: string[] } {
  const isChange = method === 'PATCH' || method === 'PUT';
  return isChange && typeof body === 'object' && body !== null ? { fields: Object.keys(body) } : {};
}

/**
 * The users whose names a page shows, by project: owners are users of `internal`. The user of an event is looked up in its
 * own project only, because an administrator's request names any id.
 */
export function namedUsers(
  projectId: string,
  rows: readonly Pick<AuditRow, 'userId' | 'actorType' | 'actorId'>[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const idsByProject = new Map<string, Set<string>>();
  const add = (project: string, id: string | null) => {
    if (id !== null) idsByProject.set(project, (idsByProject.get(project) ?? new Set()).add(id));
  };
  for (const { userId, actorType, actorId } of rows) {
    add(projectId, userId);
    if (actorType === 'owner') add('internal', actorId);
    if (actorType === 'user') add(projectId, actorId);
  }
  return idsByProject;
}

/** The event fields that come from the request. */
export function auditedBy(
  call: AuditedCall,
): Pick<AuditEvent, 'projectId' | 'actor' | 'impersonatedUserId' | 'source'> {
  const { project, source, level, user, impersonation } = call;
  const isImpersonated = level === 'client' && user !== null && impersonation !== undefined;
  const impersonated = isImpersonated ? { impersonatedUserId: user.id } : {};
  return { projectId: project.id, actor: actorOf(call), ...impersonated, source };
}

/** As `auditedBy`, for a user of `internal` who acts as a person who manages projects. */
export function auditedByOwner(call: AuditedCall, userId: string): ReturnType<typeof auditedBy> {
  const by = auditedBy(call);
  return by.impersonatedUserId === undefined ? { ...by, actor: { type: 'owner', id: userId } } : by;
}

/** In an impersonation the actor is the person who opened it (control 34). */
function actorOf({ level, user, ownerId, keySetId, impersonation }: AuditedCall): AuditActor {
  if (ownerId !== undefined) return { type: 'owner', id: ownerId };
  if (level === 'admin') return { type: 'admin_key', id: keySetId ?? null };
  if (level === 'server') return { type: 'server_key', id: keySetId ?? null };
  if (user === null) return { type: 'client', id: null };
  const openerId = impersonation?.openerId ?? null;
  return openerId === null ? { type: 'user', id: user.id } : { type: 'owner', id: openerId };
}

/** Whether the caller of an event was the user, or a caller who tried to sign in: not an administrator. */
export function isByClient({ actorType, details }: Pick<AuditRow, 'actorType' | 'details'>): boolean {
  const isImpersonated = typeof details === 'object' && details !== null && 'impersonated_user_id' in details;
  return !isImpersonated && (actorType === 'user' || actorType === 'client');
}
