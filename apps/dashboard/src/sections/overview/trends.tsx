import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Metrics, MetricsHistory } from '@tessera/client';
import { metricHistoryDaysMax } from '@tessera/client/internals';
import { Skeleton } from '@tessera/ui';
import { lazy, type ReactNode, Suspense } from 'react';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { type OwnedProject, useProject } from '../../data/owner.tsx';
import { loadDayChart } from './load-day-chart.ts';
import { RangeSelect } from './range-select.tsx';
import { overviewRoute } from './routes.ts';
import { words } from './words.ts';

const DayChart = lazy(loadDayChart);
const pollMs = 60_000;

function historyQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'overview', 'history'],
    queryFn: () => project.app.getMetricsHistory({ days: metricHistoryDaysMax }),
    refetchInterval: pollMs,
  });
}

/** The figures and charts of the chosen range. */
export function Trends({ metrics }: { readonly metrics: Metrics }) {
  const { days: range = 31 } = overviewRoute.useSearch();
  const query = useQuery(historyQuery(useProject()));
  if (query.isLoadingError) return <Problem error={query.error} retry={query.refetch} />;
  // Until the year is loaded, the charts show the days of the metrics: the page keeps its height.
  const history = query.data ?? recentHistory(metrics);
  const days = history.days.slice(-range);
  const signUps = days.map(({ date, signUps }) => ({ date, activity: signUps }));
  const active = days.map(({ date, activeUsers }) => ({ date, activity: activeUsers }));
  const thisMonth = history.months.at(-1)?.activeUsers;
  return (
    <>
      <div className="tss:@container">
        <dl className="tss:grid tss:gap-4 tss:@min-[17rem]:grid-cols-2 tss:@min-[46rem]:grid-cols-4">
          <Figure label={words.totalUsers} value={metrics.totalUsers} />
          <Figure label={words.newUsers(range)} value={sum(signUps)} />
          <Figure label={words.activeToday} value={active.at(-1)?.activity ?? 0} />
          <Figure label={words.activeMonth} value={thisMonth ?? undefined} />
        </dl>
      </div>
      <div className="tss:flex tss:flex-wrap tss:items-center tss:justify-between tss:gap-3">
        <h2 className="tss:text-lg tss:font-semibold">{words.trends}</h2>
        <RangeSelect />
      </div>
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6 tss:lg:grid-cols-2">
        <ChartPanel title={words.signUps} counts={signUps} empty={words.noSignUps} />
        <ChartPanel title={words.active} counts={active} empty={words.noActive} />
      </div>
      <h2 className="tss:text-lg tss:font-semibold">{words.allUsers}</h2>
      <MonthsPanel months={history.months} />
    </>
  );
}

function recentHistory({ dailyUsers, dailyActiveUsers }: Metrics): MetricsHistory {
  const days = dailyUsers.map(({ date, activity }, index) => ({
    date,
    signUps: activity,
    activeUsers: dailyActiveUsers[index]?.activity ?? 0,
  }));
  return { days, months: [] };
}

type Counts = readonly { readonly date: string; readonly activity: number }[];

function sum(counts: Counts): number {
  return counts.reduce((total, { activity }) => total + activity, 0);
}

/** @param value undefined while it is not known */
function Figure({ label, value }: { readonly label: string; readonly value: number | undefined }) {
  return (
    <div className="tss:grid tss:gap-1 tss:rounded-xl tss:border tss:border-border tss:bg-card tss:p-5">
      <dt className="tss:text-sm tss:text-muted-foreground">{label}</dt>
      <dd className="tss:block tss:text-2xl tss:font-semibold tss:tabular-nums">
        {value === undefined ? '–' : value.toLocaleString('en')}
      </dd>
    </div>
  );
}

interface ChartPanelProps {
  readonly title: string;
  readonly counts: Counts;
  readonly empty: string;
}

function ChartPanel({ title, counts, empty }: ChartPanelProps) {
  const total = sum(counts);
  return (
    <Panel title={title}>
      {total === 0 ? (
        <Quiet>{empty}</Quiet>
      ) : (
        <Suspense fallback={<Skeleton className="tss:h-56" />}>
          <DayChart days={counts} summary={words.chart(title, total, counts.length)} />
        </Suspense>
      )}
    </Panel>
  );
}

/** Different users per calendar month. Months from before the server counted them are left out. */
function MonthsPanel({ months }: Pick<MetricsHistory, 'months'>) {
  const counts = months.flatMap(({ month, activeUsers }) =>
    activeUsers === null ? [] : [{ date: `${month}-01`, activity: activeUsers }],
  );
  const unknown = months.length - counts.length;
  const latest = counts.at(-1)?.activity ?? 0;
  return (
    <Panel title={words.months} description={unknown > 0 ? words.unknownMonths(unknown) : words.monthsText}>
      {months.length === 0 ? (
        <Skeleton className="tss:h-56" />
      ) : sum(counts) === 0 ? (
        <Quiet>{words.noMonths}</Quiet>
      ) : (
        <Suspense fallback={<Skeleton className="tss:h-56" />}>
          <DayChart days={counts} unit="month" summary={words.monthChart(latest, counts.length)} />
        </Suspense>
      )}
    </Panel>
  );
}

/** A sentence in place of data. */
export function Quiet({ children }: { readonly children: ReactNode }) {
  return <p className="tss:text-sm tss:text-muted-foreground">{children}</p>;
}
