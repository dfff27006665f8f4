import { metricDays } from '@tessera/protocol';

const dayMs = 24 * 3600 * 1000;

/** A counter row: number of users, by method or by day. */
export interface Count {
  readonly kind: 'users' | 'sign_ups' | 'active' | 'method' | 'country';
  readonly key: string;
  readonly value: number;
}

/** Days since 1970-01-01 in UTC. */
export function dayOf(millis: number): number {
  return Math.floor(millis / dayMs);
}

/** The days that metrics list, oldest first, ending today. */
export function shownDays(nowMillis: number): number[] {
  const today = dayOf(nowMillis);
  return Array.from({ length: metricDays }, (_, index) => today - (metricDays - 1) + index);
}

/** One entry per day, with 0 for days without a count. */
export function countsByDay(counts: readonly Count[], kind: Count['kind'], days: readonly number[]) {
  const values = new Map(counts.filter(count => count.kind === kind).map(({ key, value }) => [key, value]));
  return days.map(day => ({
    date: new Date(day * dayMs).toISOString().slice(0, 10),
    activity: values.get(String(day)) ?? 0,
  }));
}

/** Keys and values of one kind, without zero counts. */
export function nonZeroCounts(counts: readonly Count[], kind: Count['kind']): [string, number][] {
  return counts.filter(count => count.kind === kind && count.value > 0).map(({ key, value }) => [key, value]);
}
