import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { RowSelectionState } from '@tanstack/react-table';
import { Button, buttonClass } from '@tessera/ui';
import { Upload, UserPlus, Users } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { toast } from 'sonner';
import { ColumnChooser } from '../../components/column-chooser.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { userColumns } from './columns.tsx';
import { CreateUser } from './create-user.tsx';
import { deleteLater } from './delete-later.ts';
import { deleteUsers } from './delete-users.ts';
import { ExportButtons } from './export-buttons.tsx';
import { type ListedUser, userPagesQuery, usersKey } from './queries.ts';
import { usersRoute } from './routes.ts';
import { filterCount } from './search.ts';
import { UserFilters } from './user-filters.tsx';
import { userName } from './user-name.ts';
import { words } from './words.ts';

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
  const { fetchNextPage, isFetchingNextPage } = pages;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // All loaded users wait for their deletion, and there are more: the list is not empty.
  const needsMore = rows?.length === 0 && pages.hasNextPage;
  useEffect(() => {
    if (needsMore && !isFetchingNextPage) loadMore();
  }, [needsMore, isFetchingNextPage, loadMore]);
  const [selection, setSelection] = useState<RowSelectionState>({});
  const { hide, ...filters } = search;
  const shown = JSON.stringify(filters);
  const [selectedFor, setSelectedFor] = useState(shown);
  if (selectedFor !== shown) {
    // Other filters show other users: none of them may be deleted unseen.
    setSelectedFor(shown);
    setSelection({});
  }
  const visibility = useMemo(() => Object.fromEntries((hide ?? []).map(id => [id, false])), [hide]);

  const create = (
    <Button onClick={() => setCreating(true)}>
      <UserPlus aria-hidden size={16} />
      {words.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={<Actions create={create} />} />
      <UserFilters />
      <UserColumns />
      <SelectionBar selection={selection} onClear={() => setSelection({})} onLeaving={setLeaving} />
      {pages.isError && rows === undefined ? (
        <Problem error={pages.error} retry={pages.refetch} />
      ) : (
        <DataTable
          label={words.title}
          columns={userColumns}
          rows={needsMore ? undefined : rows}
          rowId={rowId}
          rowName={userName}
          selection={selection}
          onSelectionChange={setSelection}
          visibility={visibility}
          hasMore={pages.hasNextPage}
          isLoadingMore={isFetchingNextPage}
          onLoadMore={loadMore}
          empty={<NoUsers create={create} />}
        />
      )}
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </>
  );
}

function UserColumns() {
  const { hide = [] } = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  return (
    <div>
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
    </div>
  );
}

function Actions({ create }: { readonly create: React.ReactNode }) {
  const project = useProject();
  const search = usersRoute.useSearch();
  return (
    <>
      <ExportButtons search={search} />
      <Link
        to="/projects/$projectId/users/import"
        params={{ projectId: project.id }}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Upload aria-hidden size={16} />
        {words.import.open}
      </Link>
      {create}
    </>
  );
}

function NoUsers({ create }: { readonly create: React.ReactNode }) {
  const search = usersRoute.useSearch();
  const { q } = search;
  const navigate = usersRoute.useNavigate();
  if (q === undefined && filterCount(search) === 0) {
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
        <Button variant="secondary" onClick={() => void navigate({ search: {} })}>
          {common.action.clearFilters}
        </Button>
      }
    >
      {q === undefined ? words.filter.noMatch : words.noMatchText(q)}
    </EmptyState>
  );
}

interface SelectionBarProps {
  readonly selection: RowSelectionState;
  readonly onClear: () => void;
  /** Hides users whose deletion has been asked for. */
  readonly onLeaving: (update: (known: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** What can be done with the selected users. */
function SelectionBar({ selection, onClear, onLeaving }: SelectionBarProps) {
  const project = useProject();
  const cache = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const ids = Object.keys(selection);
  if (ids.length === 0) return null;

  const show = () => onLeaving(known => new Set([...known].filter(id => !ids.includes(id))));

  async function remove() {
    const progress = toast.loading(words.working(0, ids.length));
    const onProgress = (count: number) => void toast.loading(words.working(count, ids.length), { id: progress });
    const { done, failed } = await deleteUsers(project, ids, onProgress);
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    // Users who could not be deleted appear again.
    show();
    if (failed === 0) toast.success(words.deleted(done), { id: progress });
    else toast.error(words.deletedPartly(done, failed), { id: progress });
  }

  async function ask() {
    onLeaving(known => new Set([...known, ...ids]));
    onClear();
    deleteLater(ids.length, { remove, undo: show });
  }

  return (
    <div
      role="toolbar"
      aria-label={words.selected(ids.length)}
      className="tss:flex tss:flex-wrap tss:items-center tss:gap-3 tss:rounded-lg tss:bg-accent tss:px-4 tss:py-2 tss:text-sm tss:text-accent-foreground"
    >
      <p role="status" className="tss:flex-1">
        {words.selected(ids.length)}
      </p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        {words.clearSelection}
      </Button>
      <Button variant="destructive" size="sm" onClick={() => setConfirming(true)}>
        {words.deleteSelected(ids.length)}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(ids.length)}
          confirmLabel={words.deleteSelected(ids.length)}
          onConfirm={ask}
          onClose={() => setConfirming(false)}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
