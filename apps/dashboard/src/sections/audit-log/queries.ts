import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditEvent } from '@tessera/client';
import type { OwnedProject } from '../../data/owner.tsx';
import { belongsTo, filterAround } from './event/related-events.ts';
import { type AuditSearch, auditFilterOf } from './search.ts';

const pageSize = 100;
const mostNewEvents = 1_000;
const pollMs = 5_000;
const aroundMs = 60 * 60 * 1000;

const auditKey = (project: OwnedProject) => ['project', project.id, 'audit-log'] as const;

/** Pages of the audit log, newest first. The pages stay as they are; `newEventsQuery` reads what is newer. */
export function auditPagesQuery(project: OwnedProject, search: AuditSearch) {
  const { paused: _, ...filters } = search;
  return infiniteQueryOptions({
    queryKey: [...auditKey(project), 'pages', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      project.app.listAuditEvents({
        ...auditFilterOf(filters),
        limit: pageSize,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    getNextPageParam: page => page.nextCursor ?? undefined,
  });
}

/** The events since the newest loaded one, read again every five seconds while the window is visible. */
export function newEventsQuery(project: OwnedProject, search: AuditSearch, newest: AuditEvent | undefined) {
  const { paused: _, ...filters } = search;
  return queryOptions({
    queryKey: [...auditKey(project), 'new', filters, newest?.id],
    queryFn: () =>
      project.app.listAuditEvents({
        ...auditFilterOf(filters),
        ...(newest === undefined ? {} : { from: newest.at }),
        limit: mostNewEvents,
      }),
    refetchInterval: pollMs,
  });
}

const sameAddressMax = 100;

/** The user with a primary email address, null when there is none. The search also finds longer addresses. */
export function userWithAddressQuery(project: OwnedProject, address: string) {
  return queryOptions({
    queryKey: [...auditKey(project), 'user-with-address', address],
    queryFn: async () => {
      const users = await project.app.listUsers({ query: address, limit: sameAddressMax });
      return users.find(({ primaryEmail }) => primaryEmail?.toLowerCase() === address.toLowerCase()) ?? null;
    },
  });
}

/** One event, by its time and id; null when there is none. */
export function auditEventQuery(project: OwnedProject, atMillis: number, eventId: string) {
  return queryOptions({
    queryKey: [...auditKey(project), 'one', atMillis, eventId],
    queryFn: async () => {
      const filter = { from: new Date(atMillis), to: new Date(atMillis + 1), limit: mostNewEvents };
      return (await project.app.listAuditEvents(filter)).find(({ id }) => id === eventId) ?? null;
    },
  });
}

/** All events of one request, newest first. */
export function traceQuery(project: OwnedProject, traceId: string) {
  return queryOptions({
    queryKey: [...auditKey(project), 'trace', traceId],
    queryFn: () => project.app.listAuditEvents({ traceId, limit: pageSize }),
  });
}

/** The events within an hour before and after an event that belong to it. */
export function eventsAroundQuery(project: OwnedProject, event: AuditEvent) {
  return queryOptions({
    queryKey: [...auditKey(project), 'around', event.id],
    queryFn: async () => {
      const found = await project.app.listAuditEvents({
        ...filterAround(event),
        from: new Date(event.at.getTime() - aroundMs),
        to: new Date(event.at.getTime() + aroundMs),
        limit: mostNewEvents,
      });
      return found.filter(other => belongsTo(event, other)).slice(0, pageSize);
    },
  });
}
