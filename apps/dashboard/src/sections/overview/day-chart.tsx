import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useIsNarrow } from '../../data/browser/media-query.ts';

const formats = {
  day: new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
};

const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const shortMonth = (date: string) => monthFormat.format(new Date(date));

interface DayChartProps {
  readonly days: readonly { readonly date: string; readonly activity: number }[];
  /** What the chart says in one sentence, for screen readers. */
  readonly summary: string;
  /** The period of a date. Default: a day. */
  readonly unit?: keyof typeof formats;
}

/** Counts per day or month, as an area for the eye and as a list for screen readers. */
export default function DayChart(props: DayChartProps) {
  const { days, summary, unit = 'day' } = props;
  return (
    <figure aria-label={summary} className="tss:relative tss:h-56">
      <ul className="tss:sr-only">
        {days.map(({ date, activity }) => (
          <li key={date}>
            {formats[unit].format(new Date(date))}: {activity.toLocaleString('en')}
          </li>
        ))}
      </ul>
      <div aria-hidden className="tss:h-full">
        <DayArea {...props} />
      </div>
    </figure>
  );
}

function DayArea({ days, unit = 'day' }: DayChartProps) {
  const isNarrow = useIsNarrow();
  const formatDate = (date: unknown) => formats[unit].format(new Date(String(date)));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={[...days]} margin={{ top: 8, right: 24, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--tessera-color-border)" />
        <XAxis
          dataKey="date"
          tickFormatter={unit === 'month' ? shortMonth : formatDate}
          // Twelve short labels fit, except on a phone; of longer ones the chart would leave some out.
          interval={unit === 'month' && !isNarrow ? 0 : 'preserveEnd'}
          tickLine={false}
          axisLine={false}
          minTickGap={32}
          tick={{ fill: 'var(--tessera-color-muted-foreground)', fontSize: 12 }}
        />
        <YAxis
          allowDecimals={false}
          width={40}
          tickLine={false}
          axisLine={false}
          tick={{ fill: 'var(--tessera-color-muted-foreground)', fontSize: 12 }}
        />
        <Tooltip
          labelFormatter={formatDate}
          formatter={value => [String(value), '']}
          separator=""
          contentStyle={{
            background: 'var(--tessera-color-popover)',
            color: 'var(--tessera-color-popover-foreground)',
            border: '1px solid var(--tessera-color-border)',
            borderRadius: 8,
          }}
        />
        <Area
          dataKey="activity"
          stroke="var(--tessera-color-primary)"
          strokeWidth={2}
          fill="var(--tessera-color-primary)"
          fillOpacity={0.15}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}
