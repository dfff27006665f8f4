import type { EqualValues } from './equal-values.ts';
import type { Output, Source } from './scope.ts';

/** What the analysis knows about a table of the schema. */
export interface KnownTable {
  readonly columns: ReadonlySet<string>;
  /** The distribution column; undefined for tables that are not distributed. */
  readonly distributedBy: string | undefined;
}

/** A table in a `from` clause. The columns of an unknown table are not known. */
export function createTableSource(alias: string, table: KnownTable | undefined, values: EqualValues): Source {
  const columns = new Map<string, number>();
  return {
    alias,
    has: column => table?.columns.has(column),
    columnValue: column => {
      const value = columns.get(column) ?? values.create();
      columns.set(column, value);
      return value;
    },
  };
}

/** The result of a query or function in a `from` clause. */
export function createOutputSource(alias: string, { columns, all }: Output, values: EqualValues): Source {
  const added = new Map<string, number>();
  const inner = (column: string) => all.find(source => source.has(column) === true);
  return {
    alias,
    has: column => columns.has(column) || inner(column) !== undefined || (all.length > 0 ? undefined : false),
    columnValue: column => {
      const known = columns.get(column) ?? inner(column)?.columnValue(column);
      const value = known ?? added.get(column) ?? values.create();
      added.set(column, value);
      return value;
    },
  };
}
