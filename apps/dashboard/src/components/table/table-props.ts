import type { ColumnDef, RowSelectionState } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { TableFeatures } from './table-features.ts';

/** The id of the bar with the actions for selected rows. It is behind the table, and a row that is selected leads to it. */
export const selectionBarId = 'selection';

export type Column<Row extends object> = ColumnDef<TableFeatures, Row>;
export interface DataTableProps<Row extends object> {
  /** The name of the table, for screen readers. */
  readonly label: string;
  /** Stable between renders. The first one has the link that opens the row. */
  readonly columns: readonly Column<Row>[];
  /** The rows of all loaded pages, stable between renders; undefined while the first page is loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  /** The name of a row for its checkbox. */
  readonly rowName: (row: Row) => string;
  /** Shown instead of rows when there are none. */
  readonly empty: ReactNode;
  /** Whether there is a next page, and the function that loads it. */
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Whether the next page could not be loaded. It is then loaded only by the button. */
  readonly hasMoreFailed?: boolean;
  readonly onLoadMore?: () => void;
  /** Ids of the selected rows. Without it there are no checkboxes. */
  readonly selection?: RowSelectionState;
  readonly onSelectionChange?: (selection: RowSelectionState) => void;
  /** Columns that are hidden have `false`. */
  readonly visibility?: Readonly<Record<string, boolean>>;
  /** Rows of unequal height are measured. */
  readonly rowHeightPx?: number;
}
