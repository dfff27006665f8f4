import { words } from '../words.ts';

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

// Always a number: "yesterday" and "last month" name a day and a month of the calendar, which an age of 30 hours does not tell.
const relative = new Intl.RelativeTimeFormat('en');
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** "3 days ago", for a moment in the past or the future. */
export function formatRelative(at: Date, now: Date = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const found = units.find(([, length]) => Math.abs(seconds) >= length);
  if (found === undefined) return seconds > 0 ? relative.format(Math.ceil(seconds), 'second') : words.time.justNow;
  const [unit, length] = found;
  // A key for 30 days that was just created expires in 30 days, not in 29.
  const count = seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length);
  return relative.format(count, unit);
}

/** A moment as "3 days ago", with the exact time and its time zone as its title. */
export function RelativeTime({ at }: { readonly at: Date | null }) {
  if (at === null) return <span className="tss:text-muted-foreground">{words.time.never}</span>;
  return (
    <time dateTime={at.toISOString()} title={absolute.format(at)} className="tss:inline-block">
      {formatRelative(at)}
    </time>
  );
}
