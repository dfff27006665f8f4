import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { TableFeatures } from '../../../components/table/table-features.ts';
import type { Column } from '../../../components/table/table-props.ts';
import { useProject } from '../../../data/owner.tsx';
import type { WaitingEmail } from '../queries.ts';
import { words as all } from '../words.ts';
import { emailKind } from './email-kind.ts';

const words = all.waiting;
const helper = createColumnHelper<TableFeatures, WaitingEmail>();

/** The columns of the waiting emails. */
export const waitingColumns: readonly Column<WaitingEmail>[] = [
  helper.display({
    id: 'email',
    header: words.column.email,
    cell: ({ row: { original } }) => (
      <>
        <span className="tss:block tss:font-medium tss:wrap-anywhere">{emailKind(original.template)}</span>
        <span className="tss:block tss:truncate tss:text-xs tss:text-muted-foreground tss:sm:hidden">
          {original.recipient}
        </span>
      </>
    ),
    meta: { width: 'minmax(0,1.5fr)' },
  }),
  helper.display({
    id: 'recipient',
    header: words.column.recipient,
    cell: ({ row }) => <Recipient email={row.original} />,
    meta: { width: 'minmax(0,2fr)', isWideOnly: true },
  }),
  helper.display({
    id: 'attempts',
    header: words.column.attempts,
    cell: ({ row }) => <span className="tss:tabular-nums">{row.original.attempts}</span>,
    meta: { width: '8rem', isWideOnly: true },
  }),
  helper.display({
    id: 'since',
    header: words.column.since,
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} />,
    meta: { width: '8.5rem', isWideOnly: true },
  }),
  helper.display({
    id: 'next',
    header: words.column.next,
    cell: ({ row }) => <NextAttempt at={row.original.nextAttemptAt} />,
    meta: { width: '8.5rem' },
  }),
];

function Recipient({ email: { recipient, userId } }: { readonly email: WaitingEmail }) {
  const { id: projectId } = useProject();
  if (userId === null) return <span className="tss:block tss:truncate">{recipient}</span>;
  return (
    <Link
      to="/projects/$projectId/users/$userId"
      params={{ projectId, userId }}
      className="tss:block tss:truncate tss:after:absolute tss:after:inset-0 tss:after:content-['']"
    >
      {recipient}
    </Link>
  );
}

/** When a waiting email is tried. A time that has passed means that the attempt is due. */
export function NextAttempt({ at }: { readonly at: Date | null }) {
  return at === null || at.getTime() <= Date.now() ? words.due : <RelativeTime at={at} />;
}
