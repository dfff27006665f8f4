import { act } from 'react';
import { expect, test } from 'vitest';
import { pageRoot } from '../../test/page-root.ts';
import { FilledTable } from './filled-table.tsx';
import type { Column } from './table-props.ts';

interface Team {
  readonly id: string;
}

const columns: Column<Team>[] = [{ id: 'name', header: 'Name', cell: ({ row }) => row.original.id }];
const rows: readonly Team[] = [{ id: 'a' }, { id: 'b' }];
const idOf = ({ id }: Team) => id;
const root = pageRoot();

test.each([
  ['a list with a next page counts the loaded rows', true, '2 loaded'],
  ['a list whose last page is loaded counts all rows', false, '2 in total'],
])('%s', (_, hasMore, count) => {
  act(() =>
    root.render(
      <FilledTable
        label="Teams"
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowName={idOf}
        empty={null}
        hasMore={hasMore}
      />,
    ),
  );
  expect(document.querySelector('[role=status]')?.textContent).toBe(count);
});
