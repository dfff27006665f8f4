import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { Problem } from '../page/problem.tsx';
import { DataTable } from './data-table.tsx';
import type { DataTableProps } from './table-props.ts';

interface PagedTableProps<Row extends object> extends DataTableProps<Row> {
  /** The query of the rows, which loads one page after the other. */
  readonly pages: UseInfiniteQueryResult;
}

/**
 * A table whose next page is loaded when the end of the rows is near, or the failure of its first page. While the loaded
 * pages contain no row, the next one is loaded: a page of a rare match can be empty before the end of the list, and so is
 * one whose rows are all being deleted.
 */
export function PagedTable<Row extends object>({ pages, rows, ...table }: PagedTableProps<Row>) {
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const needsMore = rows?.length === 0 && pages.hasNextPage;
  useEffect(() => {
    if (needsMore && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [needsMore, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (pages.isLoadingError || (needsMore && pages.isError)) {
    return <Problem error={pages.error} retry={needsMore ? fetchNextPage : pages.refetch} />;
  }
  return (
    <DataTable
      {...table}
      rows={needsMore ? undefined : rows}
      hasMore={pages.hasNextPage}
      isLoadingMore={isFetchingNextPage}
      hasMoreFailed={isFetchNextPageError}
      onLoadMore={loadMore}
    />
  );
}
