import { Skeleton } from '@tessera/ui';
import { useEffect, useState } from 'react';
import { words } from '../../words.ts';
import { loadedFilledTable, loadFilledTable } from './load-filled-table.ts';
import type { DataTableProps } from './table-props.ts';

/**
 * Loads the code of the rows while the first page is loading. Not with `lazy`, whose fallback stays for 300 ms once it is
 * shown, also when the code is already there.
 */
function useFilledTable() {
  const [loaded, setLoaded] = useState(loadedFilledTable);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    // Also when the code arrived between the first render and this effect.
    loadFilledTable().then(setLoaded, setError);
  }, []);
  // The error boundary of the page says that its code cannot be loaded.
  if (error !== undefined) throw error;
  return loaded;
}

/**
 * The one table of the dashboard. Only the visible rows are in the document, and the next page is loaded before the end
 * of the loaded rows is reached, so that it stays quick with any number of rows.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, empty } = props;
  const filled = useFilledTable();
  if (rows?.length === 0) return <>{empty}</>;
  if (rows === undefined || filled === undefined) return <TableSkeleton label={label} />;
  return <filled.FilledTable {...props} rows={rows} />;
}

function TableSkeleton({ label }: { readonly label: string }) {
  return (
    <div
      role="status"
      aria-label={`${label}: ${words.table.loading}`}
      className="tss:grid tss:gap-px tss:overflow-hidden tss:rounded-xl tss:border tss:border-border tss:bg-card"
    >
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="tss:flex tss:h-15 tss:items-center tss:gap-4 tss:px-4">
          <Skeleton className="tss:size-8 tss:rounded-full" />
          <Skeleton className="tss:h-4 tss:flex-1" />
          <Skeleton className="tss:h-4 tss:w-24" />
        </div>
      ))}
    </div>
  );
}
