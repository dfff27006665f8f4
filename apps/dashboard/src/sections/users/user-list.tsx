import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { RowSelectionState } from '@tanstack/react-table';
import { Button, buttonClass } from '@tessera/ui';
import { Upload, UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { ColumnChooser } from '../../components/table/column-chooser.tsx';
import { PagedTable } from '../../components/table/paged-table.tsx';
import { useProject, useRole } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { userColumns } from './columns.tsx';
import { UserExport } from './export/user-export.tsx';
import { type ListedUser, userPagesQuery } from './queries.ts';
import { usersRoute } from './routes.ts';
import { isFiltered, readUserSearch } from './search.ts';
import { UserFilters } from './user-filters.tsx';
import { userName } from './user-name.ts';
import { words } from './words.ts';

const SelectionBar = lazy(async () => ({ default: (await import('./selection/selection-bar.tsx')).SelectionBar }));
const UserTotal = lazy(async () => ({ default: (await import('./total/user-total.tsx')).UserTotal }));
const CreateUser = lazy(async () => ({ default: (await import('./create/create-user.tsx')).CreateUser }));

export const route = createLazyRoute('/owner/projects/$projectId/users')({ component: UserList });

const rowId = (user: ListedUser) => user.id;
const noIds: ReadonlySet<string> = new Set();

function UserList() {
  const project = useProject();
  const search = usersRoute.useSearch();
  const pages = useInfiniteQuery(userPagesQuery(project, search));
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(noIds);
  const rows = useMemo(
    () => pages.data?.pages.flatMap(page => page.users.filter(user => !leaving.has(user.id))),
    [pages.data, leaving],
  );
  const [isCreating, setCreating] = useState(false);
  const [selection, setSelection] = useState<RowSelectionState>({});
  const selected = Object.keys(selection);
  const { hide, ...filters } = search;
  const shown = JSON.stringify(filters);
  const [selectedFor, setSelectedFor] = useState(shown);
  if (selectedFor !== shown) {
    // Other filters show other users: none of them may be deleted unseen.
    setSelectedFor(shown);
    setSelection({});
  }
  const visibility = useMemo(() => Object.fromEntries((hide ?? []).map(id => [id, false])), [hide]);

  const matches = isFiltered(search) && rows && { count: rows.length, isComplete: !pages.hasNextPage };

  const create = (
    <ChangeButton onClick={() => setCreating(true)}>
      <UserPlus aria-hidden size={16} />
      {words.create}
    </ChangeButton>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={<Actions create={create} />} />
      <UserFilters />
      <div className="tss:flex tss:flex-wrap tss:items-center tss:justify-between tss:gap-3">
        <UserColumns />
        <Suspense>
          <UserTotal matches={matches || undefined} />
        </Suspense>
      </div>
      <PagedTable
        pages={pages}
        label={words.title}
        columns={userColumns}
        rows={rows}
        rowId={rowId}
        rowName={userName}
        selection={selection}
        onSelectionChange={setSelection}
        visibility={visibility}
        empty={<NoUsers create={create} />}
      />
      {/* Behind the table: a bar above it would move the rows under the pointer at the first tick. */}
      {selected.length > 0 && (
        <Suspense>
          <SelectionBar ids={selected} rows={rows ?? []} onClear={() => setSelection({})} onLeaving={setLeaving} />
        </Suspense>
      )}
      {isCreating && (
        <Suspense>
          <CreateUser onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function UserColumns() {
  const { hide = [] } = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  return (
    <ColumnChooser
      columns={userColumns}
      hidden={hide}
      onChange={hidden =>
        void navigate({
          search: ({ hide: _, ...rest }) => (hidden.length === 0 ? rest : { ...rest, hide: hidden }),
          replace: true,
        })
      }
    />
  );
}

function Actions({ create }: { readonly create: React.ReactNode }) {
  const project = useProject();
  const search = usersRoute.useSearch();
  return (
    <>
      <UserExport search={search} />
      {useRole() !== 'viewer' && (
        <Link
          to="/projects/$projectId/users/import"
          params={{ projectId: project.id }}
          state={{ userSearch: search }}
          className={buttonClass({ variant: 'secondary' })}
        >
          <Upload aria-hidden size={16} />
          {words.import}
        </Link>
      )}
      {create}
    </>
  );
}

function NoUsers({ create }: { readonly create: React.ReactNode }) {
  const search = usersRoute.useSearch();
  const { q } = search;
  const navigate = usersRoute.useNavigate();
  if (!isFiltered(search)) {
    return (
      <EmptyState title={words.empty} icon={<Users aria-hidden />} action={create}>
        {words.emptyText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={words.noMatch}
      action={
        <Button
          variant="secondary"
          onClick={() => void navigate({ search: ({ order, hide }) => readUserSearch({ order, hide }) })}
        >
          {common.action.clearFilters}
        </Button>
      }
    >
      {q === undefined ? words.filter.noMatch : words.noMatchText(q)}
    </EmptyState>
  );
}
