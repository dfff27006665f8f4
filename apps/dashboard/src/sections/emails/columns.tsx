import { createColumnHelper } from '@tanstack/react-table';
import { Badge } from '@tessera/ui';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { TableFeatures } from '../../components/table/table-features.ts';
import type { Column } from '../../components/table/table-props.ts';
import type { SentEmail } from './queries.ts';
import { words } from './words.ts';

const helper = createColumnHelper<TableFeatures, SentEmail>();

/** The columns of the email log. A click in a row opens it. */
export function emailColumns(onOpen: (email: SentEmail) => void): readonly Column<SentEmail>[] {
  return [
    helper.display({
      id: 'subject',
      header: words.column.subject,
      cell: ({ row: { original } }) => (
        <>
          <button
            type="button"
            className="tss:w-full tss:cursor-pointer tss:line-clamp-1 tss:break-all tss:text-start tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
            onClick={() => onOpen(original)}
          >
            {original.subject}
          </button>
          <span className="tss:block tss:truncate tss:text-xs tss:text-muted-foreground tss:sm:hidden">
            {original.to.join(', ')}
          </span>
        </>
      ),
      meta: { width: 'minmax(0,2fr)' },
    }),
    helper.display({
      id: 'recipient',
      header: words.column.recipient,
      cell: ({ row: { original } }) => <span className="tss:block tss:truncate">{original.to.join(', ')}</span>,
      meta: { width: 'minmax(0,1.5fr)', isWideOnly: true },
    }),
    helper.display({
      id: 'state',
      header: words.column.state,
      cell: ({ row: { original } }) => <StateBadge email={original} />,
      meta: { width: '6rem' },
    }),
    helper.display({
      id: 'at',
      header: words.column.at,
      cell: ({ row }) => <RelativeTime at={row.original.sentAt} />,
      meta: { width: '8.5rem' },
    }),
  ];
}

/** Whether the mail server accepted an email. */
export function StateBadge({ email }: { readonly email: SentEmail }) {
  if (email.error === undefined) return <Badge>{words.accepted}</Badge>;
  return <Badge tone="destructive">{words.failed}</Badge>;
}
