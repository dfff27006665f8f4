import { columnVisibilityFeature, metaHelper, rowSelectionFeature, tableFeatures } from '@tanstack/react-table';

/** How a column is laid out. */
interface ColumnMeta {
  /** A track of the grid, e.g. `minmax(0,2fr)` or `8rem`. Default `minmax(0,1fr)`. */
  readonly width?: string;
  /** Left out on phones. */
  readonly isWideOnly?: boolean;
  /** The name in the column chooser. A column without one is always shown. */
  readonly chooserLabel?: string;
}

/** The features of TanStack Table that our tables use; the others are not bundled. */
export const features = tableFeatures({
  rowSelectionFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

export type TableFeatures = typeof features;
