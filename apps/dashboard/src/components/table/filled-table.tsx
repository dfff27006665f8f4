import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, classNames } from '@tessera/ui';
import { type CSSProperties, type Ref, useEffect, useMemo, useRef } from 'react';
import { useIsNarrow } from '../../data/browser/media-query.ts';
import { words } from '../../words.ts';
import { features } from './table-features.ts';
import { type Column, type DataTableProps, selectionBarId } from './table-props.ts';

const loadAheadRows = 20;

/** With large text in a narrow window the cells of a row are below each other. */
const stacked = 'tss:@max-[15rem]:grid-cols-[minmax(0,1fr)]!';
/** On a phone the first of three cells has a line of its own. */
const crowded =
  'tss:@max-[24rem]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]! tss:@max-[24rem]:[&>:first-child]:col-span-full';
/** A row with a checkbox has less room: on a phone its cells are below each other, beside the checkbox. */
const besideBox =
  'tss:@max-[24rem]:grid-cols-[2.75rem_minmax(0,1fr)]! tss:@max-[24rem]:[&>:not(:first-child)]:col-start-2';

const rowClass = (columnCount: number, hasSelection: boolean) =>
  hasSelection ? besideBox : classNames(stacked, columnCount > 2 && crowded);

/** The rows of a table. Its code is loaded while the first rows are. */
export function FilledTable<Row extends object>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { label, rows, rowHeightPx = 60, hasMore = false, isLoadingMore = false, onLoadMore, selection } = props;
  const { hasMoreFailed = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useDashboardTable(props);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
  });
  const visible = virtualizer.getVirtualItems();
  const mayLoadAhead = hasMore && !isLoadingMore && !hasMoreFailed;
  useLoadAhead(mayLoadAhead && (visible.at(-1)?.index ?? 0) >= rows.length - loadAheadRows, onLoadMore);

  const columns = table.getVisibleLeafColumns();
  const hasSelection = selection !== undefined;
  const gridTemplateColumns = [
    ...(hasSelection ? ['2.75rem'] : []),
    ...columns.map(column => column.columnDef.meta?.width ?? 'minmax(0,1fr)'),
  ].join(' ');
  const tableRows = table.getRowModel().rows;

  return (
    <div className="tss:grid tss:gap-2">
      <div
        ref={scroller}
        // The padding keeps a focused row out from under the header.
        className="tss:max-h-[max(18rem,calc(100dvh-17rem))] tss:print:max-h-none tss:scroll-pt-12 tss:overflow-auto tss:rounded-xl tss:border tss:border-border tss:bg-card"
      >
        {/* Roles instead of table elements: the rows are positioned, and browsers drop the semantics of such tables. */}
        <div
          role="table"
          aria-label={label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
          className="tss:@container tss:text-sm"
        >
          <HeaderRow table={table} hasSelection={hasSelection} style={{ gridTemplateColumns }} />
          <div role="rowgroup" className="tss:relative" style={{ height: virtualizer.getTotalSize() }}>
            {visible.map(({ index, start }) => {
              const row = tableRows[index];
              return (
                row && (
                  <BodyRow
                    key={row.id}
                    ref={virtualizer.measureElement}
                    table={table}
                    row={row}
                    index={index}
                    selectLabel={hasSelection ? words.table.selectRow(props.rowName(row.original)) : undefined}
                    style={{ gridTemplateColumns, minHeight: rowHeightPx, transform: `translateY(${start}px)` }}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
      <div className="tss:flex tss:min-h-9 tss:items-center tss:justify-between tss:gap-3 tss:text-xs tss:text-muted-foreground">
        <p role="status">
          {hasMoreFailed ? words.problem.title : words.table[hasMore ? 'loaded' : 'total'](rows.length)}
        </p>
        {hasMore && (
          <Button variant="quiet" size="sm" busy={isLoadingMore} onClick={onLoadMore}>
            {hasMoreFailed ? words.problem.retry : words.action.loadMore}
          </Button>
        )}
      </div>
    </div>
  );
}

type Table<Row extends object> = ReturnType<typeof useDashboardTable<Row>>;

interface HeaderRowProps<Row extends object> {
  readonly table: Table<Row>;
  readonly hasSelection: boolean;
  readonly style: CSSProperties;
}

function HeaderRow<Row extends object>({ table, hasSelection, style }: HeaderRowProps<Row>) {
  return (
    <div role="rowgroup" className="tss:sticky tss:top-0 tss:z-10 tss:bg-muted">
      {table.getHeaderGroups().map(group => (
        <div
          key={group.id}
          role="row"
          aria-rowindex={1}
          className={classNames(
            'tss:grid tss:items-center tss:border-b tss:border-border tss:px-2',
            rowClass(group.headers.length, hasSelection),
          )}
          style={style}
        >
          {hasSelection && (
            <div role="columnheader" className="tss:px-2 tss:py-1">
              <SelectBox
                label={words.table.selectAll}
                isChecked={table.getIsAllRowsSelected()}
                isMixed={table.getIsSomeRowsSelected()}
                onChange={checked => table.toggleAllRowsSelected(checked)}
              />
            </div>
          )}
          {group.headers.map(header => (
            <div
              key={header.id}
              role="columnheader"
              className="tss:truncate tss:px-2 tss:py-2.5 tss:text-start tss:text-xs tss:font-medium tss:text-muted-foreground"
            >
              <table.FlexRender header={header} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface BodyRowProps<Row extends object> {
  readonly table: Table<Row>;
  readonly row: ReturnType<Table<Row>['getRowModel']>['rows'][number];
  /** Among all loaded rows, from 0. */
  readonly index: number;
  /** Undefined in a table without selection. */
  readonly selectLabel: string | undefined;
  readonly style: CSSProperties;
  readonly ref: Ref<HTMLDivElement>;
}

function BodyRow<Row extends object>({ table, row, index, selectLabel, style, ref }: BodyRowProps<Row>) {
  const isSelected = selectLabel !== undefined && row.getIsSelected();
  const cells = row.getVisibleCells();
  return (
    <div
      role="row"
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selectLabel === undefined ? undefined : isSelected}
      className={classNames(
        'tss:absolute tss:inset-x-0 tss:top-0 tss:grid tss:items-center tss:border-b tss:border-border tss:px-2 tss:hover:bg-accent/50',
        rowClass(cells.length, selectLabel !== undefined),
        isSelected && 'tss:bg-accent',
      )}
      style={style}
    >
      {selectLabel !== undefined && (
        <div role="cell" className="tss:relative tss:z-1 tss:px-2">
          <SelectBox label={selectLabel} isChecked={isSelected} onChange={checked => row.toggleSelected(checked)} />
          {isSelected && <ToSelectionBar />}
        </div>
      )}
      {cells.map(cell => (
        <div key={cell.id} role="cell" className="tss:min-w-0 tss:px-2 tss:py-2">
          <table.FlexRender cell={cell} />
        </div>
      ))}
    </div>
  );
}

function useDashboardTable<Row extends object>({
  columns,
  rows = [],
  rowId,
  selection = {},
  onSelectionChange,
  visibility,
}: DataTableProps<Row>) {
  const isNarrow = useIsNarrow();
  const columnVisibility = useMemo(() => {
    const wideOnly = columns.filter(column => isNarrow && column.meta?.isWideOnly);
    return { ...visibility, ...Object.fromEntries(wideOnly.map(column => [column.id ?? '', false])) };
  }, [columns, visibility, isNarrow]);

  return useTable({
    features,
    columns: columns as Column<Row>[],
    data: rows as Row[],
    getRowId: rowId,
    state: { rowSelection: selection, columnVisibility },
    onRowSelectionChange: updater => onSelectionChange?.(typeof updater === 'function' ? updater(selection) : updater),
  });
}

function useLoadAhead(isNear: boolean, onLoadMore: (() => void) | undefined) {
  useEffect(() => {
    if (isNear) onLoadMore?.();
  }, [isNear, onLoadMore]);
}

/** For the keyboard: behind a row there may be thousands, and more are loaded on the way to the end of the table. */
function ToSelectionBar() {
  return (
    <button
      type="button"
      className="tss:sr-only tss:focus:not-sr-only tss:focus:absolute tss:focus:start-full tss:focus:top-1/2 tss:focus:-translate-y-1/2 tss:focus:rounded-md tss:focus:bg-popover tss:focus:p-2 tss:focus:whitespace-nowrap"
      onClick={() => document.getElementById(selectionBarId)?.focus()}
    >
      {words.table.toSelectionBar}
    </button>
  );
}

interface SelectBoxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly onChange: (checked: boolean) => void;
}

function SelectBox({ label, isChecked, isMixed = false, onChange }: SelectBoxProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = isMixed && !isChecked;
  }, [isMixed, isChecked]);
  return (
    <input
      ref={ref}
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      className="tss:block tss:size-4.5 tss:cursor-pointer tss:appearance-auto tss:accent-primary"
      onChange={event => onChange(event.target.checked)}
    />
  );
}
