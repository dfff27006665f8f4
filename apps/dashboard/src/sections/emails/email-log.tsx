import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Button, Field, Select } from '@tessera/ui';
import { Mail, X } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { PagedTable } from '../../components/table/paged-table.tsx';
import { SearchField } from '../../components/table/search-field.tsx';
import { useProject } from '../../data/owner.tsx';
import { emailColumns } from './columns.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { EmailsHeader } from './emails-header.tsx';
import { emailLogQuery, loggedEmailQuery, type SentEmail } from './queries.ts';
import { emailLogRoute } from './routes.ts';
import { readEmailLogSearch } from './search.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails')({ component: EmailLog });

const rowId = (email: SentEmail) => email.id;
const rowName = (email: SentEmail) => email.subject;

function EmailLog() {
  const search = emailLogRoute.useSearch();
  const navigate = emailLogRoute.useNavigate();
  const query = useInfiniteQuery(emailLogQuery(useProject(), search));
  const columns = useMemo(
    () => emailColumns(({ id }) => void navigate({ search: known => ({ ...known, email: id }) })),
    [navigate],
  );
  const rows = useMemo(() => query.data?.pages.flat(), [query.data]);
  const { state, user, message, to } = search;
  const isFiltered = [state, user, message, to].some(filter => filter !== undefined);

  return (
    <>
      <EmailsHeader />
      {(isFiltered || rows?.length !== 0) && <Filters />}
      <PagedTable
        pages={query}
        label={words.log}
        columns={columns}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        empty={
          <EmptyState title={isFiltered ? words.noMatch : words.emptyLog} icon={<Mail aria-hidden />}>
            {isFiltered ? words.noMatchText : words.emptyLogText}
          </EmptyState>
        }
      />
      {search.email !== undefined && (
        <OpenedEmail
          id={search.email}
          onClose={() => void navigate({ search: ({ email: _, ...known }) => known, replace: true })}
        />
      )}
    </>
  );
}

/** The address names the email, so that it can be linked to. */
function OpenedEmail({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = useQuery(loggedEmailQuery(useProject(), id));
  if (query.data) return <EmailDialog email={query.data} onClose={onClose} />;
  return query.isLoadingError ? <Problem error={query.error} retry={query.refetch} /> : null;
}

function Filters() {
  const { state, user, message, to } = emailLogRoute.useSearch();
  const navigate = emailLogRoute.useNavigate();
  const searchRecipient = useCallback(
    (text: string | undefined) =>
      void navigate({ search: known => readEmailLogSearch({ ...known, to: text }), replace: true }),
    [navigate],
  );
  return (
    <search className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:sm:grid-cols-[minmax(0,20rem)_12rem_minmax(0,1fr)]">
      <SearchField label={words.searchRecipient} value={to} onSearch={searchRecipient} />
      <Field label={words.state}>
        <Select
          value={state ?? ''}
          onChange={event => {
            const next = event.target.value;
            void navigate({ search: known => readEmailLogSearch({ ...known, state: next }), replace: true });
          }}
        >
          <option value="">{words.everyState}</option>
          <option value="accepted">{words.accepted}</option>
          <option value="failed">{words.failed}</option>
        </Select>
      </Field>
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-3 tss:sm:col-span-full">
        {user !== undefined && (
          <Chip onRemove={() => void navigate({ search: ({ user: _, ...known }) => known })}>{words.ofOneUser}</Chip>
        )}
        {message !== undefined && (
          <Chip onRemove={() => void navigate({ search: ({ message: _, ...known }) => known })}>
            {words.ofOneMessage}
          </Chip>
        )}
        <p className="tss:text-sm tss:text-muted-foreground">{words.logHint}</p>
      </div>
    </search>
  );
}

function Chip({ children, onRemove }: { readonly children: string; readonly onRemove: () => void }) {
  return (
    <Button size="sm" variant="secondary" aria-label={words.removeFilter(children)} onClick={onRemove}>
      {children}
      <X aria-hidden size={14} />
    </Button>
  );
}
