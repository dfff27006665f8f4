import { metricDays, metricMonths } from '@tessera/protocol';

const dayMs = 24 * 3600 * 1000;

/** A counter row: number of users, by method or by day. */
export interface Count {
  readonly kind: 'users' | 'sign_ups' | 'active' | 'active_month' | 'method' | 'country';
  readonly key: string;
  readonly value: number;
}

/** Days since 1970-01-01 in UTC. */
export function dayOf(millis: number): number {
  return Math.floor(millis / dayMs);
}

/** The days that metrics list, oldest first, ending today. */
export function shownDays(nowMillis: number, length: number = metricDays): number[] {
  const today = dayOf(nowMillis);
  return Array.from({ length }, (_, index) => today - (length - 1) + index);
}

/** The months that the history lists as months since year 0 in UTC, oldest first, ending with this month. */
export function shownMonths(nowMillis: number): number[] {
  const now = new Date(nowMillis);
  const current = now.getUTCFullYear() * 12 + now.getUTCMonth();
  return Array.from({ length: metricMonths }, (_, index) => current - (metricMonths - 1) + index);
}

/**
 * Active users per month. A month without a count has no activity, or is older than the count: then its days have
 * activity, and the number is not known.
 */
export function activeByMonth(counts: readonly Count[], months: readonly number[]) {
  const known = new Map(counts.filter(({ kind }) => kind === 'active_month').map(({ key, value }) => [key, value]));
  const busyMonths = new Set(
    counts
      .filter(({ kind, value }) => kind === 'active' && value > 0)
      .map(({ key }) => dateOfDay(Number(key)).slice(0, 7)),
  );
  return months.map(month => {
    const name = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
    return { month: name, activeUsers: known.get(String(month)) ?? (busyMonths.has(name) ? null : 0) };
  });
}

function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** One entry per day, with 0 for days without a count. */
export function countsByDay(counts: readonly Count[], kind: Count['kind'], days: readonly number[]) {
  const values = new Map(counts.filter(count => count.kind === kind).map(({ key, value }) => [key, value]));
  return days.map(day => ({
    date: dateOfDay(day),
    activity: values.get(String(day)) ?? 0,
  }));
}

/** Keys and values of one kind, without zero counts. */
export function nonZeroCounts(counts: readonly Count[], kind: Count['kind']): [string, number][] {
  return counts.filter(count => count.kind === kind && count.value > 0).map(({ key, value }) => [key, value]);
}
