import type { AuditEvent } from '@tessera/client';

/**
 * The time to show for an event. The first use of a key in an hour is recorded at the start of the hour, so that all processes
 * write one event; its details have the time of the request.
 */
export function shownTime({ at, details }: Pick<AuditEvent, 'at' | 'details'>): Date {
  const known =
    typeof details === 'object' && details !== null && 'at_millis' in details ? details.at_millis : undefined;
  return typeof known === 'number' ? new Date(known) : at;
}
