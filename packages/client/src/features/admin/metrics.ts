import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { type ServerUserFields, serverUserFields } from '../account/user.ts';

/** How much of something there was on a day. */
export interface DayCount {
  /** In UTC, e.g. `2026-07-31`. */
  readonly date: string;
  /** The number of this day. */
  readonly activity: number;
}

/** How many users a project has, and what they do. */
export interface Metrics {
  /** Anonymous ones included. */
  readonly totalUsers: number;
  /** Users by the day of signing up: today and the days before, oldest first. */
  readonly dailyUsers: readonly DayCount[];
  /** Users by the days on which they were seen. */
  readonly dailyActiveUsers: readonly DayCount[];
  /** Number of users by country, an ISO 3166 code of two letters. */
  readonly usersByCountry: Readonly<Record<string, number>>;
  /** The newest users, newest first. */
  readonly recentlyRegistered: readonly ServerUserFields[];
  /** The users that were seen last, latest first. */
  readonly recentlyActive: readonly ServerUserFields[];
  /** How often people signed in, by the way they did. */
  readonly loginMethods: readonly { readonly method: string; readonly count: number }[];
}

/** Sign-ups and active users over time, in UTC. */
export interface MetricsHistory {
  /** Oldest first, today last. */
  readonly days: readonly { readonly date: string; readonly signUps: number; readonly activeUsers: number }[];
  /** The last 12 calendar months, oldest first. A month before the server counted its users has null. */
  readonly months: readonly { readonly month: string; readonly activeUsers: number | null }[];
}

/** How far back to read. */
export interface MetricsHistoryOptions {
  /** Days to list, today included. Default and maximum: 366. */
  readonly days?: number | undefined;
}

/** Reads of an admin app about the use of its project. */
export interface MetricsReads {
  /**
   * The number of users and their activity.
   *
   * @example
   * const { totalUsers, dailyActiveUsers } = await app.getMetrics();
   */
  getMetrics(): Promise<Metrics>;
  /**
   * Sign-ups and active users of up to a year.
   *
   * @example
   * const { months } = await app.getMetricsHistory({ days: 90 });
   */
  getMetricsHistory(options?: MetricsHistoryOptions): Promise<MetricsHistory>;
}

export function metrics({ call, resources }: Context<'admin'>): { reads: Reads<MetricsReads> } {
  const current = resources.make(null, () => ({
    load: async () => metricsFromWire(await call('GET /internal/metrics', { session: null })),
  }));
  const histories = resources.make(null, (days: number | undefined) => ({
    load: async () => {
      const route = 'GET /internal/extensions/metrics-history';
      return historyFromWire(await call(route, { query: { days }, session: null }));
    },
  }));
  return {
    reads: {
      getMetrics: readOf(() => current.entry()),
      getMetricsHistory: readOf(({ days } = {}) => histories.entry(days)),
    },
  };
}

function metricsFromWire(wire: Reply<Routes['GET /internal/metrics'], 'admin'>): Metrics {
  return Object.freeze({
    totalUsers: wire.total_users,
    dailyUsers: wire.daily_users,
    dailyActiveUsers: wire.daily_active_users,
    usersByCountry: wire.users_by_country,
    recentlyRegistered: wire.recently_registered.map(serverUserFields),
    recentlyActive: wire.recently_active.map(serverUserFields),
    loginMethods: wire.login_methods,
  });
}

function historyFromWire(wire: Reply<Routes['GET /internal/extensions/metrics-history'], 'admin'>): MetricsHistory {
  return Object.freeze({
    days: wire.days.map(({ date, sign_ups, active_users }) => ({ date, signUps: sign_ups, activeUsers: active_users })),
    months: wire.months.map(({ month, active_users }) => ({ month, activeUsers: active_users })),
  });
}
