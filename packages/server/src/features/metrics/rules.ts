import { metricDays } from '@tessera/protocol';

const dayMs = 24 * 3600 * 1000;

/** A count, as the tables keep it: of users, of one method, of a day. */
export interface Count {
  readonly kind: 'users' | 'sign_ups' | 'active' | 'method' | 'country';
  readonly key: string;
  readonly value: number;
}

/** Days since 1970-01-01 in UTC. */
export function dayOf(millis: number): number {
  return Math.floor(millis / dayMs);
}

/** Today and the days before it, oldest first. */
export function shownDays(nowMillis: number): number[] {
  const today = dayOf(nowMillis);
  return Array.from({ length: metricDays }, (_, index) => today - (metricDays - 1) + index);
}

/** A day for each, whether or not something was counted on it. */
export function byDay(counts: readonly Count[], kind: Count['kind'], days: readonly number[]) {
  const values = new Map(counts.filter(count => count.kind === kind).map(({ key, value }) => [key, value]));
  return days.map(day => ({
    date: new Date(day * dayMs).toISOString().slice(0, 10),
    activity: values.get(String(day)) ?? 0,
  }));
}

/** Keys and values of a kind, without those of which there are none. */
export function present(counts: readonly Count[], kind: Count['kind']): [string, number][] {
  return counts.filter(count => count.kind === kind && count.value > 0).map(({ key, value }) => [key, value]);
}
