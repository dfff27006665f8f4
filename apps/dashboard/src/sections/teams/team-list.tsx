import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Button, Field, Select } from '@tessera/ui';
import { Network, Plus } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PagedTable } from '../../components/table/paged-table.tsx';
import { SearchField } from '../../components/table/search-field.tsx';
import { shownName } from '../../data/names/shown-name.ts';
import { useProject } from '../../data/owner.tsx';
import { readOneOf } from '../../data/search-params.ts';
import { words as common } from '../../words.ts';
import { teamColumns } from './columns.tsx';
import { CreateTeam } from './create-team.tsx';
import { type Team, teamPagesQuery } from './queries.ts';
import { teamsRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/teams')({ component: TeamList });

const rowId = (team: Team) => team.id;
const rowName = (team: Team) => shownName(team.displayName);

function TeamList() {
  const search = teamsRoute.useSearch();
  const teams = useInfiniteQuery(teamPagesQuery(useProject(), search));
  const rows = useMemo(() => teams.data?.pages.flat(), [teams.data]);
  const [isCreating, setCreating] = useState(false);

  const create = (
    <ChangeButton onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {words.create}
    </ChangeButton>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={create} />
      <TeamFilters />
      <PagedTable
        pages={teams}
        label={words.title}
        columns={teamColumns}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        empty={<NoTeams create={create} />}
      />
      {isCreating && <CreateTeam onClose={() => setCreating(false)} />}
    </>
  );
}

/** Search and order. They are kept in the address, so that a link shows the same list. */
function TeamFilters() {
  const { q, order } = teamsRoute.useSearch();
  const navigate = teamsRoute.useNavigate();
  const search = useCallback(
    (text: string | undefined) =>
      void navigate({
        search: ({ q: _, ...rest }) => (text === undefined ? rest : { ...rest, q: text }),
        replace: true,
      }),
    [navigate],
  );
  return (
    <search className="tss:grid tss:gap-4 tss:sm:grid-cols-[minmax(0,1fr)_12rem]">
      <SearchField label={words.search} value={q} onSearch={search} />
      <Field label={words.order}>
        <Select
          value={order ?? 'newest'}
          onChange={event => {
            const next = readOneOf(event.target.value, ['oldest', 'name']);
            void navigate({
              search: ({ order: _, ...rest }) => (next === undefined ? rest : { ...rest, order: next }),
              replace: true,
            });
          }}
        >
          <option value="newest">{words.newestFirst}</option>
          <option value="oldest">{words.oldestFirst}</option>
          <option value="name">{words.byName}</option>
        </Select>
      </Field>
    </search>
  );
}

function NoTeams({ create }: { readonly create: ReactNode }) {
  const { q } = teamsRoute.useSearch();
  const navigate = teamsRoute.useNavigate();
  if (q === undefined) {
    return (
      <EmptyState title={words.empty} icon={<Network aria-hidden />} action={create}>
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
      {words.noMatchText(q)}
    </EmptyState>
  );
}
