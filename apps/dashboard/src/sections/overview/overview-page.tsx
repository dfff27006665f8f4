import { queryOptions, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { Metrics } from '@tessera/client';
import { Avatar, buttonClass, initialsOf } from '@tessera/ui';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { PanelList } from '../../components/page/panel-list.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { providerName } from '../../data/oauth-providers.ts';
import { type OwnedProject, useProject } from '../../data/owner.tsx';
import { auditedName } from '../audit-log/audited-name.ts';
import { userName } from '../users/user-name.ts';
import { Quiet, Trends } from './trends.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/overview')({ component: Overview });

const pollMs = 60_000;

function metricsQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'overview', 'metrics'],
    queryFn: () => project.app.getMetrics(),
    refetchInterval: pollMs,
  });
}

function failuresQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'overview', 'failures'],
    queryFn: () => project.app.listAuditEvents({ action: 'sign_in.failed', limit: 8 }),
    refetchInterval: pollMs,
  });
}

function Overview() {
  const query = useQuery(metricsQuery(useProject()));
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && <Filled metrics={query.data} />}
    </>
  );
}

function Filled({ metrics }: { readonly metrics: Metrics }) {
  return (
    <>
      <Trends metrics={metrics} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6 tss:lg:grid-cols-2">
        <Panel title={words.methods} description={words.methodsText}>
          <Bars
            rows={metrics.loginMethods.map(({ method, count }) => [methodName(method), count])}
            empty={words.noMethods}
          />
        </Panel>
        <Panel title={words.countries} description={words.countriesText}>
          <Bars
            rows={Object.entries(metrics.usersByCountry).map(([code, count]) => [countryName(code), count])}
            empty={words.noCountries}
          />
        </Panel>
        <RecentUsers metrics={metrics} />
        <FailedSignIns />
      </div>
    </>
  );
}

function methodName(method: string): string {
  return words.method[method] ?? providerName(method);
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Codes come from a proxy, so they may not be of a country. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}

const shownRows = 6;

/** The largest counts as bars. */
function Bars({ rows, empty }: { readonly rows: readonly (readonly [string, number])[]; readonly empty: string }) {
  if (rows.length === 0) return <Quiet>{empty}</Quiet>;
  const sorted = [...rows].sort(([, one], [, other]) => other - one).slice(0, shownRows);
  const largest = sorted[0]?.[1] ?? 1;
  return (
    <ul className="tss:grid tss:gap-2">
      {sorted.map(([name, count]) => (
        <li key={name} className="tss:grid tss:gap-1 tss:text-sm">
          <span className="tss:flex tss:justify-between tss:gap-3">
            <span>{name}</span>
            <span className="tss:tabular-nums">{count.toLocaleString('en')}</span>
          </span>
          <span className="tss:block tss:h-2 tss:rounded-sm tss:bg-muted">
            <span
              className="tss:block tss:h-2 tss:rounded-sm tss:bg-primary"
              style={{ width: `${(100 * count) / largest}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

function RecentUsers({ metrics }: { readonly metrics: Metrics }) {
  const project = useProject();
  return (
    <Panel title={words.recent}>
      {metrics.recentlyRegistered.length === 0 && <Quiet>{words.noRecent}</Quiet>}
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3">
        {metrics.recentlyRegistered.slice(0, 8).map(user => (
          <li key={user.id} className="tss:flex tss:items-center tss:gap-3 tss:text-sm">
            <Avatar size={28} src={user.profileImageUrl} initials={initialsOf(userName(user))} />
            <Link
              to="/projects/$projectId/users/$userId"
              params={{ projectId: project.id, userId: user.id }}
              className="tss:min-w-0 tss:flex-1 tss:line-clamp-2 tss:wrap-anywhere tss:font-medium"
            >
              {userName(user)}
            </Link>
            <span className="tss:text-muted-foreground">
              <RelativeTime at={user.signedUpAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FailedSignIns() {
  const project = useProject();
  const query = useQuery(failuresQuery(project));
  return (
    <Panel
      title={words.failed}
      actions={
        <Link
          to="/projects/$projectId/audit-log"
          params={{ projectId: project.id }}
          search={{ action: 'sign_in.failed' }}
          className={buttonClass({ variant: 'link' }, 'tss:text-sm')}
        >
          {words.allFailed}
        </Link>
      }
    >
      <PanelList query={query} itemKey={event => event.id} empty={words.noFailed}>
        {event => (
          <>
            <span className="tss:grid tss:min-w-0 tss:flex-1">
              <Link
                to="/projects/$projectId/audit-log/$atMillis/$eventId"
                params={{ projectId: project.id, atMillis: String(event.at.getTime()), eventId: event.id }}
                className="tss:line-clamp-2 tss:wrap-anywhere tss:font-medium"
              >
                {event.user === null ? words.unknownAccount : auditedName(event.user, event.userId ?? '')}
              </Link>
              <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">{event.address ?? '–'}</span>
            </span>
            <span className="tss:text-muted-foreground">
              <RelativeTime at={event.at} />
            </span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
