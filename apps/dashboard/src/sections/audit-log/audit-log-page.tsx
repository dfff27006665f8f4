import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { AuditEvent } from '@tessera/client';
import { Button } from '@tessera/ui';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PagedTable } from '../../components/table/paged-table.tsx';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { AuditFilters } from './audit-filters.tsx';
import { auditColumns } from './columns.tsx';
import { eventTitle } from './event/event-title.ts';
import { AuditExport } from './export/audit-export.tsx';
import { mergeEvents } from './merge-events.ts';
import { auditPagesQuery, newEventsQuery } from './queries.ts';
import { auditLogRoute } from './routes.ts';
import { auditFilterOf, isFiltered } from './search.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/audit-log')({ component: AuditLogPage });

const rowId = (event: AuditEvent) => event.id;

function AuditLogPage() {
  const search = auditLogRoute.useSearch();
  const { rows, pages } = useEvents();

  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        actions={<AuditExport filter={auditFilterOf(search)} />}
      />
      <AuditFilters />
      <PagedTable
        pages={pages}
        label={words.title}
        columns={auditColumns}
        rows={rows}
        rowId={rowId}
        rowName={eventTitle}
        empty={<NoEvents />}
      />
    </>
  );
}

/** The loaded pages, with what was recorded since then before them. */
function useEvents() {
  const project = useProject();
  const search = auditLogRoute.useSearch();
  const pages = useInfiniteQuery(auditPagesQuery(project, search));
  const loaded = useMemo(() => pages.data?.pages.flat(), [pages.data]);
  const options = newEventsQuery(project, search, loaded?.[0]);
  const newer = useQuery({ ...options, enabled: search.paused !== true && loaded !== undefined });
  const rows = useMemo(() => loaded && mergeEvents(newer.data ?? [], loaded), [loaded, newer.data]);
  return { rows, pages };
}

function NoEvents() {
  const search = auditLogRoute.useSearch();
  const navigate = auditLogRoute.useNavigate();
  if (!isFiltered(search)) {
    return (
      <EmptyState title={words.empty} icon={<ScrollText aria-hidden />}>
        {words.emptyText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={words.noMatch}
      action={
        <Button variant="secondary" onClick={() => void navigate({ search: {} })}>
          {common.action.clearFilters}
        </Button>
      }
    >
      {words.noMatchText}
    </EmptyState>
  );
}
