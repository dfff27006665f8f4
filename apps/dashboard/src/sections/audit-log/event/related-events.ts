import type { AuditEvent, AuditLogFilter } from '@tessera/client';

/** What connects an event with others: they concern one user, have one caller, or are equal attempts from one address. */
export type EventLinkage = 'user' | 'caller' | 'address';

type Linked = Pick<AuditEvent, 'id' | 'action' | 'userId' | 'actor' | 'address'>;

/** Events of a caller who is not known: only the address connects them. */
const attempts: ReadonlySet<AuditEvent['action']> = new Set(['sign_in.failed', 'sign_in.refused', 'limit.reached']);

/** How other events are connected with an event; undefined when nothing connects them. */
export function linkageOf({ action, userId, actor, address }: Linked): EventLinkage | undefined {
  if (userId !== null) return 'user';
  if (actor.id !== null) return 'caller';
  return attempts.has(action) && address !== null ? 'address' : undefined;
}

/** The filter of the log that finds the connected events. `belongsTo` decides about each of them. */
export function filterAround(event: Linked): AuditLogFilter {
  const linkage = linkageOf(event);
  if (linkage === 'user' && event.userId !== null) return { userId: event.userId };
  if (linkage === 'caller' && event.actor.id !== null) return { actorId: event.actor.id };
  return { action: event.action };
}

/** Whether another event that `filterAround` found belongs to an event. */
export function belongsTo(event: Linked, other: Linked): boolean {
  if (other.id === event.id) return false;
  return linkageOf(event) !== 'address' || other.address === event.address;
}
