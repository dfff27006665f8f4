import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { AuditEvent } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { AttemptPanel } from './attempt/attempt-panel.tsx';
import { isAttempt } from './attempt/explain-attempt.ts';
import { BackToLog } from './back-to-log.tsx';
import { EventLink } from './columns.tsx';
import { EventTimeCell } from './event/event-time.tsx';
import { FactsPanel } from './event-facts.tsx';
import { eventWords } from './event-words.ts';
import { traceQuery } from './queries.ts';
import { traceRoute } from './routes.ts';
import { readTraceId } from './search.ts';

export const route = createLazyRoute('/owner/projects/$projectId/audit-log/trace/$traceId')({ component: TracePage });

/** Explains the request whose trace id the error page of an end user shows. */
function TracePage() {
  const project = useProject();
  const traceId = readTraceId(traceRoute.useParams().traceId);
  const query = useQuery({ ...traceQuery(project, traceId ?? ''), enabled: traceId !== undefined });
  const isUnknown = traceId === undefined || query.data?.length === 0;

  return (
    <>
      <BackToLog />
      <PageHeader
        title={eventWords.trace.title}
        description={
          <>
            {eventWords.trace.description} <code className="tss:font-mono tss:text-xs">{traceId}</code>
          </>
        }
      />
      {traceId !== undefined && query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {isUnknown && <NothingFound />}
      {query.data !== undefined && query.data.length > 0 && <FoundRequest events={query.data} />}
    </>
  );
}

function NothingFound() {
  const project = useProject();
  return (
    <EmptyState
      title={eventWords.trace.empty}
      action={
        <Link
          to="/projects/$projectId/audit-log"
          params={{ projectId: project.id }}
          className={buttonClass({ variant: 'secondary' })}
        >
          {eventWords.trace.emptyAction}
        </Link>
      }
    >
      {eventWords.trace.emptyText}
    </EmptyState>
  );
}

/** @param events newest first */
function FoundRequest({ events }: { readonly events: readonly AuditEvent[] }) {
  const attempt = events.find(isAttempt);
  const main = attempt ?? events.at(-1);
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
      {attempt !== undefined && <AttemptPanel event={attempt} />}
      {main !== undefined && <FactsPanel event={main} />}
      <Panel title={eventWords.trace.others}>
        <ul className="tss:grid tss:gap-2">
          {events.map(event => (
            <li key={event.id} className="tss:flex tss:items-center tss:gap-3 tss:text-sm">
              <EventLink event={event} className={`${buttonClass({ variant: 'link' })} tss:min-w-0 tss:flex-1`} />
              <span className="tss:text-xs tss:text-muted-foreground">
                <EventTimeCell at={event.at} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
