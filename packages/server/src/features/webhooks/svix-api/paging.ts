import { shrinkToFit } from '../../../platform/database/shrink-to-fit.ts';
import { invalid } from './failures.ts';

/** A position in a list that is ordered by time and id. */
export interface Place {
  readonly atMillis: number;
  readonly id: string;
}

/** The query of one page: the rows behind a position, in one direction. */
export interface Keyset {
  /** Null for the first page. */
  readonly place: Place | null;
  readonly isDescending: boolean;
  /** One more than the page size, to detect a next page. */
  readonly count: number;
}

export interface PageRequest {
  readonly keyset: Keyset;
  readonly limit: number;
  /** True for the page before the position, which is read in reverse order. */
  readonly isBackwards: boolean;
}

/** A page in the format of Svix: `iterator` leads to the next page, `prevIterator` to the one before. */
export interface Page<Item> {
  readonly data: Item[];
  readonly done: boolean;
  readonly iterator: string | null;
  readonly prevIterator: string | null;
}

const iteratorPattern = /^(-?)(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws when the iterator does not come from a page */
export function readPageRequest(
  query: { readonly limit: number; readonly iterator?: string | undefined },
  { isDescending }: { isDescending: boolean },
): PageRequest {
  const count = query.limit + 1;
  if (query.iterator === undefined) {
    return { keyset: { place: null, isDescending, count }, limit: query.limit, isBackwards: false };
  }
  const [, minus, millis, id] = iteratorPattern.exec(query.iterator) ?? [];
  if (id === undefined) invalid(['query', 'iterator'], 'must be an iterator that an earlier page gave');
  const isBackwards = minus === '-';
  const place = { atMillis: Number(millis), id };
  return { keyset: { place, isDescending: isDescending !== isBackwards, count }, limit: query.limit, isBackwards };
}

/**
 * Reads a page. It becomes shorter when its rows are too large, and its iterator leads to the others.
 *
 * @param read with a limit for the bytes of its rows
 */
export function readPage<Row, Item>(
  request: PageRequest,
  read: (keyset: Keyset) => Promise<Row[]>,
  view: { placeOf: (row: Row) => Place; itemOf: (row: Row) => Item },
): Promise<Page<Item>> {
  return shrinkToFit(request.limit, async limit => {
    const rows = await read({ ...request.keyset, count: limit + 1 });
    return pageOf(rows, { ...request, limit }, view);
  });
}

/** The rows of a page in list order, also when they were read in reverse. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, isBackwards }: PageRequest,
  { placeOf, itemOf }: { placeOf: (row: Row) => Place; itemOf: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, limit);
  if (isBackwards) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    data: shown.map(itemOf),
    done: rows.length <= limit,
    iterator: last === undefined ? null : encodePlace(placeOf(last)),
    prevIterator: first === undefined ? null : `-${encodePlace(placeOf(first))}`,
  };
}

function encodePlace({ atMillis, id }: Place): string {
  return `${atMillis}.${id}`;
}
