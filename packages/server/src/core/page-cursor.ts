/** The place of a row in a list that is ordered by a time and, for the same time, by an id or a number. */
export interface PagePosition {
  readonly atMillis: number;
  readonly id: string;
}

/** A cursor is the position of the first row of the next page, so the deletion of this row does not end the list. */
export function cursorOf({ atMillis, id }: PagePosition): string {
  return `${atMillis}.${id}`;
}

/** @param cursor already validated by the schema */
export function positionOf(cursor: string): PagePosition {
  const [atMillis = '', id = ''] = cursor.split('.');
  return { atMillis: Number(atMillis), id };
}

/** Cuts the rows to one page. The query reads one row more than `limit`, which becomes the next cursor. */
export function pageOf<Row extends PagePosition>(
  found: readonly Row[],
  limit: number,
): { rows: readonly Row[]; nextCursor: string | null } {
  const next = found[limit];
  return { rows: found.slice(0, limit), nextCursor: next === undefined ? null : cursorOf(next) };
}
