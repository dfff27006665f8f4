import { useMemo } from 'react';
import { useLanguage } from './translate.tsx';

/** Dates in the language of the page. */
export interface Dates {
  /** "3 May 2026" */
  day(date: Date): string;
  /** With the time. */
  moment(date: Date): string;
  /** "5 minutes ago"; undefined for less than 15 seconds. Long ago it is a date. */
  ago(date: Date): string | undefined;
}

const secondMs = 1000;
const justNowSeconds = 15;

/** The number of seconds from which a unit is used. */
const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Older times are shown as a date. */
const mostWeeks = 8;

export function createDateFormats(locale: string, now = Date.now): Dates {
  const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const momentFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  // Always a number: 30 hours ago can be the day before yesterday.
  const agoFormat = new Intl.RelativeTimeFormat(locale);

  return {
    day: date => dayFormat.format(date),
    moment: date => momentFormat.format(date),
    ago(date) {
      const seconds = Math.max(0, Math.round((now() - date.getTime()) / secondMs));
      if (seconds < justNowSeconds) return undefined;
      const [unit, length] = units.find(([, from]) => seconds >= from) ?? ['second', 1];
      const count = Math.round(seconds / length);
      return unit === 'week' && count > mostWeeks ? dayFormat.format(date) : agoFormat.format(-count, unit);
    },
  };
}

/** Date formats in the language of the page. */
export function useDates(): Dates {
  const { locale } = useLanguage();
  return useMemo(() => createDateFormats(locale), [locale]);
}
