const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZoneName: 'short' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** The local time of an event with seconds: the events of an attack or a mistake are often less than a minute apart. */
export function EventTime({ at }: { readonly at: Date }) {
  return <time dateTime={at.toISOString()}>{moment.format(at)}</time>;
}

/** The local time of an event and its time zone in two lines, for a list or a narrow column. */
export function EventTimeCell({ at }: { readonly at: Date }) {
  return (
    <time dateTime={at.toISOString()} className="tss:grid">
      {time.format(at)}
      <span className="tss:text-xs tss:text-muted-foreground">{date.format(at)}</span>
    </time>
  );
}
