import { metricHistoryDaysMax, metricsEndpoints, recentUsersMax } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { listUsers, selectUsersById } from '../accounts/users/index.ts';
import { shownDays, shownMonths } from './rules.ts';
import { selectHistory, selectMetrics } from './store.ts';
import { historyView, metricsView } from './wire.ts';

interface MetricsRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
}

export function metricsRoutes(deps: MetricsRoutesDeps): BoundRoute[] {
  return [
    bind(metricsEndpoints.read, async ({ project }) => {
      const days = shownDays(deps.clock.now());
      const [numbers, newest] = await Promise.all([
        selectMetrics(deps.db.reads, project.id, { days, activeUsersMax: recentUsersMax }),
        listUsers(deps.db.reads, project.id, { desc: true, limit: recentUsersMax }),
      ]);
      const active = await selectUsersById(deps.db.reads, project.id, numbers.activeUserIds);
      return metricsView(numbers, { days, registered: newest.users, active });
    }),

    bind(metricsEndpoints.history, async ({ project, query }) => {
      const nowMillis = deps.clock.now();
      const shown = { days: shownDays(nowMillis, query.days ?? metricHistoryDaysMax), months: shownMonths(nowMillis) };
      // Whether a month was counted is seen in its days, so that all of them are read.
      const read = { ...shown, days: shownDays(nowMillis, metricHistoryDaysMax) };
      return historyView(await selectHistory(deps.db.reads, project.id, read), shown);
    }),
  ];
}
