import type { AuditActorType } from '@tessera/client';
import { countOf } from '../count-of.ts';
import { titles } from '../titles.ts';

/** The words of the audit log. Those of the page of an event are loaded with it. */
export const words = {
  title: titles.auditLog,
  description: 'Who did what in this project, newest first.',
  column: { action: 'Event', actor: 'Caller', user: 'User', address: 'Address', at: 'Time' },
  filters: 'Filters',
  moreFilters: 'More filters',
  action: 'Event',
  anyAction: 'All events',
  user: 'User (id or email)',
  actor: 'Caller (id or email)',
  address: 'IP address',
  notAnAddress: 'Enter a complete IP address.',
  notAUser: 'Enter a complete id or email address.',
  noUserWithAddress: 'No user has this address.',
  trace: 'Trace id',
  traceHint: 'The 16 characters that an error page shows.',
  notATrace: 'A trace id has 16 letters and digits.',
  findTrace: 'Find the request',
  from: 'From',
  to: 'To and including',
  live: 'Live',
  liveHint: 'New events appear by themselves.',
  empty: 'No events yet',
  emptyText: 'The log records sign-ins, changes of accounts and settings, and the use of keys.',
  noMatch: 'No event matches',
  noMatchText: 'No event of the log fits these filters.',
  times: (count: number) => countOf(count, 'time'),
  export: {
    csv: 'Export CSV',
    lines: 'Export JSON',
    running: (count: number) => `${count.toLocaleString('en')} events read`,
    stop: 'Stop the export',
    done: (count: number) => countOf(count, 'event was exported', 'events were exported'),
  },
  actorType: {
    user: 'User',
    owner: 'Project member',
    server_key: 'Server key',
    admin_key: 'Admin key',
    client: 'Not signed in',
    system: 'Server',
  } satisfies Record<AuditActorType, string>,
} as const;
