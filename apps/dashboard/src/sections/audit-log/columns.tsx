import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import type { AuditEvent } from '@tessera/client';
import { Badge } from '@tessera/ui';
import type { TableFeatures } from '../../components/table/table-features.ts';
import type { Column } from '../../components/table/table-props.ts';
import { useProject } from '../../data/owner.tsx';
import { purposeOf } from '../api-keys/key-set.ts';
import { repetitionsOf } from './attempt/explain-attempt.ts';
import { auditedName } from './audited-name.ts';
import { useActingKeySet } from './event/acting-key-set.ts';
import { EventTimeCell } from './event/event-time.tsx';
import { changedNames, eventTitle } from './event/event-title.ts';
import { shownTime } from './shown-time.ts';
import { words } from './words.ts';

const helper = createColumnHelper<TableFeatures, AuditEvent>();

/** The columns of the audit log. */
export const auditColumns: readonly Column<AuditEvent>[] = [
  helper.display({
    id: 'action',
    header: words.column.action,
    cell: ({ row }) => <ActionCell event={row.original} />,
    meta: { width: 'minmax(0,2fr)' },
  }),
  helper.display({
    id: 'actor',
    header: words.column.actor,
    cell: ({ row }) => <ActorCell event={row.original} />,
    meta: { width: 'minmax(0,1.2fr)', isWideOnly: true },
  }),
  helper.display({
    id: 'user',
    header: words.column.user,
    cell: ({ row }) => <UserCell event={row.original} />,
    meta: { width: 'minmax(0,1.2fr)', isWideOnly: true },
  }),
  helper.display({
    id: 'address',
    header: words.column.address,
    cell: ({ row }) => (
      <span className="tss:block tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
        {row.original.address ?? '–'}
      </span>
    ),
    meta: { width: 'minmax(0,1.2fr)', isWideOnly: true },
  }),
  helper.display({
    id: 'at',
    header: words.column.at,
    cell: ({ row }) => <EventTimeCell at={shownTime(row.original)} />,
    meta: { width: '9rem' },
  }),
];

function Quiet({ text }: { readonly text: string }) {
  return <span className="tss:block tss:truncate tss:text-muted-foreground">{text}</span>;
}

/** Null for a caller without a name, such as a visitor. */
function useActorName(actor: AuditEvent['actor']): string | null {
  const keySet = useActingKeySet(actor);
  return keySet === undefined ? actor.user && auditedName(actor.user, actor.id ?? '') : purposeOf(keySet);
}

function ActorCell({ event: { actor } }: { readonly event: AuditEvent }) {
  const type = words.actorType[actor.type];
  const name = useActorName(actor);
  if (name === null) return <Quiet text={type} />;
  return (
    <div className="tss:grid tss:min-w-0 tss:grid-cols-[minmax(0,1fr)]">
      <span className="tss:line-clamp-1 tss:break-all">{name}</span>
      <span className="tss:truncate tss:text-xs tss:text-muted-foreground">{type}</span>
    </div>
  );
}

function UserCell({ event: { user, userId } }: { readonly event: AuditEvent }) {
  if (userId === null) return <Quiet text="–" />;
  if (user === null) return <code className="tss:block tss:truncate tss:font-mono tss:text-xs">{userId}</code>;
  return <span className="tss:line-clamp-1 tss:break-all">{auditedName(user, userId)}</span>;
}

function ActionCell({ event }: { readonly event: AuditEvent }) {
  const count = repetitionsOf(event);
  const changed = changedNames(event);
  return (
    <div className="tss:grid tss:min-w-0 tss:grid-cols-[minmax(0,1fr)]">
      <span className="tss:flex tss:min-w-0 tss:items-center tss:gap-2">
        <EventLink
          event={event}
          className="tss:min-w-0 tss:line-clamp-2 tss:wrap-anywhere tss:after:absolute tss:after:inset-0 tss:after:content-['']"
        />
        {count > 0 && <Badge>{words.times(count)}</Badge>}
      </span>
      <span className="tss:truncate tss:text-xs tss:text-muted-foreground tss:max-sm:hidden">
        {changed.length === 0 ? <code className="tss:font-mono">{event.action}</code> : changed.join(', ')}
      </span>
      <span className="tss:line-clamp-2 tss:break-all tss:text-xs tss:text-muted-foreground tss:sm:hidden">
        <Subject event={event} />
      </span>
    </div>
  );
}

/** Whom an event is about: its user, else its caller. */
function Subject({ event: { user, userId, actor } }: { readonly event: AuditEvent }) {
  const actorName = useActorName(actor);
  if (userId !== null) return user === null ? userId : auditedName(user, userId);
  return actorName ?? words.actorType[actor.type];
}

interface EventLinkProps {
  readonly event: AuditEvent;
  readonly className?: string;
}

/** A link to the page of an event, with the event in words. */
export function EventLink({ event, className = '' }: EventLinkProps) {
  const project = useProject();
  return (
    <Link
      to="/projects/$projectId/audit-log/$atMillis/$eventId"
      params={{ projectId: project.id, atMillis: String(event.at.getTime()), eventId: event.id }}
      className={`tss:font-medium ${className}`}
    >
      {eventTitle(event)}
    </Link>
  );
}
