/** Something in a `from` clause. */
export interface Source {
  readonly alias: string;
  /** Undefined when its columns are not known. */
  readonly has: (column: string) => boolean | undefined;
  /** The number of a column in the sets of equal values. */
  readonly columnValue: (column: string) => number;
}

/** What the names of a query can mean. */
export interface Scope {
  readonly sources: Source[];
  /** The common table expressions. */
  readonly queries: Map<string, Output>;
  readonly outer: Scope | undefined;
}

/** The result columns of a query. */
export interface Output {
  readonly columns: ReadonlyMap<string, number>;
  /** Sources whose columns are all part of the result (`*`). */
  readonly all: readonly Source[];
  /** The values of the columns in their order, as far as they are known. */
  readonly list: readonly number[];
}

export const noOutput: Output = { columns: new Map(), all: [], list: [] };

export function findQuery(scope: Scope | undefined, name: string): Output | undefined {
  return scope === undefined ? undefined : (scope.queries.get(name) ?? findQuery(scope.outer, name));
}

/** The source of a column: of the innermost query that has it. */
export function findSource(scope: Scope | undefined, names: readonly string[]): Source | undefined {
  const column = names.at(-1) ?? '';
  for (let at = scope; at !== undefined; at = at.outer) {
    const named = names.length > 1 ? at.sources.filter(({ alias }) => alias === names.at(-2)) : at.sources;
    const source = named.find(one => one.has(column) === true) ?? named.find(one => one.has(column) === undefined);
    if (source !== undefined) return source;
  }
  return undefined;
}
