import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PagedTable } from '../../../components/table/paged-table.tsx';
import { useProject } from '../../../data/owner.tsx';
import { EmailsHeader } from '../emails-header.tsx';
import { type WaitingEmail, waitingEmailsQuery } from '../queries.ts';
import { words as all } from '../words.ts';
import { emailKind } from './email-kind.ts';
import { waitingColumns } from './waiting-columns.tsx';

const words = all.waiting;

export const route = createLazyRoute('/owner/projects/$projectId/emails/waiting')({ component: WaitingList });

const rowId = (email: WaitingEmail) => email.id;
const rowName = (email: WaitingEmail) => emailKind(email.template);

function WaitingList() {
  const query = useInfiniteQuery(waitingEmailsQuery(useProject()));
  const rows = useMemo(() => query.data?.pages.flat(), [query.data]);
  return (
    <>
      <EmailsHeader />
      <p className="tss:max-w-160 tss:text-sm tss:text-muted-foreground">{words.hint}</p>
      <PagedTable
        pages={query}
        label={words.list}
        columns={waitingColumns}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        empty={
          <EmptyState title={words.empty} icon={<MailCheck aria-hidden />}>
            {words.emptyText}
          </EmptyState>
        }
      />
    </>
  );
}
