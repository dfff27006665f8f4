import type { Answer, metricsEndpoints } from '@tessera/protocol';
import type { User } from '../../core/user.ts';
import { serverUser } from '../accounts/users/index.ts';
import { activeByMonth, type Count, countsByDay, nonZeroCounts } from './rules.ts';
import type { Numbers } from './store.ts';

interface Shown {
  readonly days: readonly number[];
  readonly registered: readonly User[];
  /** Users with activity, in any order. */
  readonly active: readonly User[];
}

/** docs/contract/emails-webhooks-metrics.md#metrics */
export function metricsView(
  { counts, activeUserIds }: Numbers,
  { days, registered, active }: Shown,
): Answer<typeof metricsEndpoints.read> {
  return {
    total_users: counts.find(({ kind }) => kind === 'users')?.value ?? 0,
    daily_users: countsByDay(counts, 'sign_ups', days),
    daily_active_users: countsByDay(counts, 'active', days),
    users_by_country: Object.fromEntries(nonZeroCounts(counts, 'country')),
    recently_registered: registered.map(serverUser),
    recently_active: activeUserIds.flatMap(id => active.filter(user => user.id === id)).map(serverUser),
    login_methods: nonZeroCounts(counts, 'method').map(([method, count]) => ({ method, count })),
  };
}

/** docs/contract/emails-webhooks-metrics.md#metrics-history */
export function historyView(
  counts: readonly Count[],
  { days, months }: { readonly days: readonly number[]; readonly months: readonly number[] },
): Answer<typeof metricsEndpoints.history> {
  const active = countsByDay(counts, 'active', days);
  return {
    days: countsByDay(counts, 'sign_ups', days).map(({ date, activity }, index) => ({
      date,
      sign_ups: activity,
      active_users: active[index]?.activity ?? 0,
    })),
    months: activeByMonth(counts, months).map(({ month, activeUsers }) => ({ month, active_users: activeUsers })),
  };
}
