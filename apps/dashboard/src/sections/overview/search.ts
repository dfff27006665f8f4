/** The ranges of the charts, in days. The server lists a year. */
export const ranges = [7, 14, 31, 90, 180, 365] as const;

export type Range = (typeof ranges)[number];

/** The range of the charts, as it is in the address. */
export interface OverviewSearch {
  readonly days?: Range;
}

/** Reads the range from an address. */
export function readOverviewSearch(search: Readonly<Record<string, unknown>>): OverviewSearch {
  const days = ranges.find(range => range === search.days);
  return days === undefined ? {} : { days };
}
