import { Field, Select } from '@tessera/ui';
import { useCallback } from 'react';
import { SearchField } from '../../components/search-field.tsx';
import { usersRoute } from './routes.ts';
import { words } from './words.ts';

/** Search and order. They are kept in the address, so that a link shows the same list. */
export function UserFilters() {
  const { q, order } = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
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
            const next = event.target.value;
            void navigate({
              search: ({ order: _, ...rest }) => (next === 'oldest' ? { ...rest, order: 'oldest' } : rest),
              replace: true,
            });
          }}
        >
          <option value="newest">{words.newestFirst}</option>
          <option value="oldest">{words.oldestFirst}</option>
        </Select>
      </Field>
    </search>
  );
}
