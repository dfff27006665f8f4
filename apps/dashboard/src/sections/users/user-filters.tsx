import { Button } from '@tessera/ui';
import { lazy, Suspense, useCallback, useState } from 'react';
import { SearchField } from '../../components/table/search-field.tsx';
import { words as common } from '../../words.ts';
import { Choice } from './choice.tsx';
import type { Change } from './more-filters.tsx';
import { usersRoute } from './routes.ts';
import { filterCount, readUserSearch } from './search.ts';
import { words } from './words.ts';

// Most visits do not filter: the fields are not part of the first load.
const MoreFilters = lazy(async () => ({ default: (await import('./more-filters.tsx')).MoreFilters }));

/** Search, order and filters. They are kept in the address, so that a link shows the same list. */
export function UserFilters() {
  const search = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  const count = filterCount(search);
  const [isOpen, setOpen] = useState(count > 0);
  const change = useCallback<Change>(
    changes => void navigate({ search: known => readUserSearch({ ...known, ...changes }), replace: true }),
    [navigate],
  );
  const searchFor = useCallback((q: string | undefined) => change({ q }), [change]);

  return (
    <search className="tss:grid tss:gap-4">
      <div className="tss:grid tss:gap-4 tss:sm:grid-cols-[minmax(0,1fr)_12rem_auto] tss:sm:items-end">
        <SearchField label={words.search} value={search.q} onSearch={searchFor} />
        <Choice
          label={words.order}
          value={search.order ?? 'newest'}
          onChange={order => change({ order })}
          options={[
            ['newest', words.newestFirst],
            ['oldest', words.oldestFirst],
          ]}
        />
        <Button variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.filter.open(count)}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <MoreFilters search={search} change={change} />
        </Suspense>
      )}
      {count > 0 && (
        <Button
          variant="quiet"
          size="sm"
          className="tss:justify-self-start"
          onClick={() => void navigate({ search: ({ q, order, hide }) => readUserSearch({ q, order, hide }) })}
        >
          {common.action.clearFilters}
        </Button>
      )}
    </search>
  );
}
