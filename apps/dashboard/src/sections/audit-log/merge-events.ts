interface Identified {
  readonly id: string;
}

/** Newer events before older ones. An event that is in both lists appears once. */
export function mergeEvents<Event extends Identified>(newer: readonly Event[], older: readonly Event[]): Event[] {
  const known = new Set(older.map(({ id }) => id));
  return [...newer.filter(({ id }) => !known.has(id)), ...older];
}
