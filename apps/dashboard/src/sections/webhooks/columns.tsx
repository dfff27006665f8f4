import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { Badge } from '@tessera/ui';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { TableFeatures } from '../../components/table/table-features.ts';
import type { Column } from '../../components/table/table-props.ts';
import { useProject } from '../../data/owner.tsx';
import { isFailing, judgedAttempts } from './endpoint-health.ts';
import { type Endpoint, latestAttemptsQuery } from './queries.ts';
import { words } from './words.ts';

const helper = createColumnHelper<TableFeatures, Endpoint>();

/** The columns of the endpoint list. */
export const endpointColumns: readonly Column<Endpoint>[] = [
  helper.display({
    id: 'url',
    header: words.column.url,
    cell: ({ row }) => <UrlCell endpoint={row.original} />,
    meta: { width: 'minmax(0,3fr)' },
  }),
  helper.display({
    id: 'events',
    header: words.column.events,
    cell: ({ row: { original } }) => eventsOf(original),
    meta: { width: 'minmax(0,1fr)', isWideOnly: true },
  }),
  helper.display({
    id: 'state',
    header: words.column.state,
    cell: ({ row: { original } }) => <StateBadge endpoint={original} />,
    meta: { width: '6.5rem' },
  }),
  helper.display({
    id: 'created',
    header: words.column.created,
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} />,
    meta: { width: '8rem', isWideOnly: true },
  }),
];

/** The events of an endpoint in words. */
export function eventsOf({ eventTypes }: Endpoint): string {
  return eventTypes === null ? words.allEvents : words.eventCount(eventTypes.length);
}

/** Whether an endpoint receives requests, and whether it answers them. */
export function StateBadge({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const attempts = useQuery({
    ...latestAttemptsQuery(project, endpoint.id, judgedAttempts),
    enabled: !endpoint.disabled,
    // One request for each of up to 50 endpoints: once is enough in a list.
    refetchInterval: false,
  });
  if (endpoint.disabled) return <Badge tone="destructive">{words.disabled}</Badge>;
  if (attempts.data && isFailing(attempts.data)) return <Badge tone="destructive">{words.failing}</Badge>;
  return <Badge>{words.enabled}</Badge>;
}

function UrlCell({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  return (
    <div className="tss:grid tss:min-w-0 tss:grid-cols-[minmax(0,1fr)]">
      {/* The link covers the row, so that a click anywhere in it opens the endpoint. */}
      <Link
        to="/projects/$projectId/webhooks/$endpointId"
        params={{ projectId: project.id, endpointId: endpoint.id }}
        className="tss:block tss:min-w-0 tss:truncate tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
      >
        {endpoint.url}
      </Link>
      {endpoint.description && (
        <span className="tss:truncate tss:text-xs tss:text-muted-foreground">{endpoint.description}</span>
      )}
    </div>
  );
}
