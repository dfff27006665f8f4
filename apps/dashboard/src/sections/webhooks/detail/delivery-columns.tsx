import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { Badge } from '@tessera/ui';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { TableFeatures } from '../../../components/table/table-features.ts';
import type { Column } from '../../../components/table/table-props.ts';
import { useProject } from '../../../data/owner.tsx';
import { deliveryState } from '../endpoint-health.ts';
import { type Delivery, latestAttemptsQuery } from '../queries.ts';
import { words } from '../words.ts';

const helper = createColumnHelper<TableFeatures, Delivery>();

/** The API gives no more at once. They tell of most rows whether an attempt has failed. */
const attemptsOfRows = 250;

/** The columns of the deliveries to an endpoint. A click in a row opens it. New columns take the focus out of the table. */
export function deliveryColumns(endpointId: string, onOpen: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  return [
    helper.display({
      id: 'event',
      header: words.event,
      cell: ({ row: { original } }) => (
        <button
          type="button"
          className="tss:block tss:w-full tss:cursor-pointer tss:truncate tss:text-start tss:font-mono tss:text-xs tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
          onClick={() => onOpen(original)}
        >
          {original.eventType}
        </button>
      ),
      meta: { width: 'minmax(0,2fr)' },
    }),
    helper.display({
      id: 'status',
      header: words.status,
      cell: ({ row: { original } }) => <DeliveryState endpointId={endpointId} delivery={original} />,
      meta: { width: '6.5rem' },
    }),
    helper.display({
      id: 'next',
      header: words.nextAttempt,
      cell: ({ row: { original } }) =>
        original.nextAttemptAt === null ? '–' : <RelativeTime at={original.nextAttemptAt} />,
      meta: { width: '8rem', isWideOnly: true },
    }),
    helper.display({
      id: 'at',
      header: words.at,
      cell: ({ row }) => <RelativeTime at={row.original.timestamp} />,
      meta: { width: '9rem' },
    }),
  ];
}

/** The state of a delivery, by the newest attempts of its endpoint. */
function DeliveryState({ endpointId, delivery }: { readonly endpointId: string; readonly delivery: Delivery }) {
  const attempts = useQuery(latestAttemptsQuery(useProject(), endpointId, attemptsOfRows));
  return <DeliveryBadge state={deliveryState(delivery, attempts.data ?? [])} />;
}

/** The state of a delivery or an attempt. */
export function DeliveryBadge({ state }: { readonly state: ReturnType<typeof deliveryState> }) {
  const hasFailed = state === 'fail' || state === 'retrying';
  return (
    <Badge tone={hasFailed ? 'destructive' : 'neutral'}>
      {state === 'retrying' ? words.retrying : words.statusOf[state]}
    </Badge>
  );
}
