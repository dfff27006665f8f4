import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Field, Select } from '@tessera/ui';
import { Mail } from 'lucide-react';
import { useMemo, useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Problem } from '../../components/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { emailColumns } from './columns.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { EmailsHeader } from './emails-header.tsx';
import { type SentEmail, sentEmailsQuery } from './queries.ts';
import { emailLogRoute } from './routes.ts';
import { readEmailLogSearch } from './search.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails')({ component: EmailLog });

const rowId = (email: SentEmail) => email.id;
const rowName = (email: SentEmail) => email.subject;

function EmailLog() {
  const { state } = emailLogRoute.useSearch();
  const query = useQuery(sentEmailsQuery(useProject()));
  const [opened, setOpened] = useState<SentEmail>();
  const columns = useMemo(() => emailColumns(setOpened), []);
  const rows = useMemo(
    () => query.data?.filter(({ error }) => state === undefined || (state === 'failed') === (error !== undefined)),
    [query.data, state],
  );

  return (
    <>
      <EmailsHeader />
      {query.data?.length !== 0 && <StateFilter />}
      {query.isError && query.data === undefined ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : (
        <DataTable
          label={words.log}
          columns={columns}
          rows={rows}
          rowId={rowId}
          rowName={rowName}
          empty={
            <EmptyState title={state === undefined ? words.emptyLog : words.noMatch} icon={<Mail aria-hidden />}>
              {state === undefined ? words.emptyLogText : words.noMatchText}
            </EmptyState>
          }
        />
      )}
      {opened && <EmailDialog email={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function StateFilter() {
  const { state } = emailLogRoute.useSearch();
  const navigate = emailLogRoute.useNavigate();
  return (
    <search className="tss:grid tss:gap-4 tss:sm:grid-cols-[16rem_minmax(0,1fr)] tss:sm:items-end">
      <Field label={words.state}>
        <Select
          value={state ?? ''}
          onChange={event => {
            const next = event.target.value;
            void navigate({ search: readEmailLogSearch({ state: next }), replace: true });
          }}
        >
          <option value="">{words.everyState}</option>
          <option value="accepted">{words.accepted}</option>
          <option value="failed">{words.failed}</option>
        </Select>
      </Field>
      <p className="tss:text-sm tss:text-muted-foreground">{words.logHint}</p>
    </search>
  );
}
