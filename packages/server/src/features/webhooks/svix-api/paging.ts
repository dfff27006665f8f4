import { invalid } from './failures.ts';

/** A place in an order by time, then by id. */
export interface Place {
  readonly atMillis: number;
  readonly id: string;
}

/** What a store needs to give one page: the rows behind a place, in one of the two directions. */
export interface Keyset {
  /** Null for the beginning. */
  readonly place: Place | null;
  readonly isDescending: boolean;
  /** One more than the page holds, to see whether there are more. */
  readonly count: number;
}

export interface PageRequest {
  readonly keyset: Keyset;
  readonly limit: number;
  /** The page before the one that the caller has: read in the other direction. */
  readonly isBackwards: boolean;
}

/** A page as Svix shows it; `iterator` leads on, `prevIterator` back. */
export interface Page<Item> {
  readonly data: Item[];
  readonly done: boolean;
  readonly iterator: string | null;
  readonly prevIterator: string | null;
}

const iteratorPattern = /^(-?)(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws when the iterator is not one that a page gave */
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

/** The rows of a page in the order of the list, whichever way they were read. */
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
    iterator: last === undefined ? null : written(placeOf(last)),
    prevIterator: first === undefined ? null : `-${written(placeOf(first))}`,
  };
}

function written({ atMillis, id }: Place): string {
  return `${atMillis}.${id}`;
}
