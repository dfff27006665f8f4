import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { AuditEvent } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { NotFound } from '../../components/page/not-found.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { PanelList } from '../../components/page/panel-list.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { AttemptPanel } from './attempt/attempt-panel.tsx';
import { isAttempt } from './attempt/explain-attempt.ts';
import { BackToLog } from './back-to-log.tsx';
import { EventLink } from './columns.tsx';
import { EventTime, EventTimeCell } from './event/event-time.tsx';
import { eventTitle } from './event/event-title.ts';
import { linkageOf } from './event/related-events.ts';
import { FactsPanel, Values } from './event-facts.tsx';
import { eventWords } from './event-words.ts';
import { auditEventQuery, eventsAroundQuery } from './queries.ts';
import { auditEventRoute } from './routes.ts';
import { shownTime } from './shown-time.ts';

export const route = createLazyRoute('/owner/projects/$projectId/audit-log/$atMillis/$eventId')({
  component: EventPage,
});

const link = buttonClass({ variant: 'link' });

function EventPage() {
  const project = useProject();
  const { atMillis, eventId } = auditEventRoute.useParams();
  const isTime = /^\d{1,15}$/.test(atMillis);
  const query = useQuery({ ...auditEventQuery(project, Number(atMillis), eventId), enabled: isTime });

  return (
    <>
      <BackToLog />
      {isTime && query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {(!isTime || query.data === null) && (
        <NotFound title={eventWords.detail.notFound}>{eventWords.detail.notFoundText}</NotFound>
      )}
      {query.data && <FoundEvent event={query.data} />}
    </>
  );
}

function FoundEvent({ event }: { readonly event: AuditEvent }) {
  return (
    <>
      <PageHeader
        title={eventTitle(event)}
        description={
          <>
            <code className="tss:font-mono tss:text-xs">{event.action}</code> · <EventTime at={shownTime(event)} />
          </>
        }
      />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        {isAttempt(event) && <AttemptPanel event={event} />}
        <FactsPanel event={event} />
        <ChangePanel event={event} />
        <AroundPanel event={event} />
      </div>
    </>
  );
}

function ChangePanel({ event: { before, after } }: { readonly event: AuditEvent }) {
  if (before === null && after === null) return null;
  return (
    <Panel title={eventWords.detail.change}>
      <Values title={eventWords.detail.before} value={before} />
      <Values title={eventWords.detail.after} value={after} />
    </Panel>
  );
}

function AroundPanel({ event }: { readonly event: AuditEvent }) {
  const linkage = linkageOf(event);
  const query = useQuery({ ...eventsAroundQuery(useProject(), event), enabled: linkage !== undefined });
  if (linkage === undefined) return null;
  return (
    <Panel title={eventWords.detail.around} description={eventWords.detail.aroundOf[linkage]}>
      <PanelList query={query} itemKey={other => other.id} empty={eventWords.detail.nothingAround}>
        {other => (
          <>
            <EventLink event={other} className={`${link} tss:min-w-0 tss:flex-1`} />
            <span className="tss:text-xs tss:text-muted-foreground">{other.address}</span>
            <span className="tss:text-xs tss:text-muted-foreground">
              <EventTimeCell at={other.at} />
            </span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
