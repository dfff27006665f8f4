/**
 * A cursor that PostgreSQL can read as a snapshot (`xmin:xmax:running ids in order`); undefined for any other text.
 * https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT-PARTS
 */
export function readableCursor(text: string | undefined): string | undefined {
  const [, from, to, running = ''] = /^(\d{1,18}):(\d{1,18}):([\d,]*)$/.exec(text ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const ids = running === '' ? [] : running.split(',');
  if (ids.some(id => !/^\d{1,18}$/.test(id))) return undefined;
  const numbers = [BigInt(from), ...ids.map(BigInt), BigInt(to)];
  if (BigInt(from) === 0n) return undefined;
  const isOrdered = numbers.every((number, index) => index === 0 || isAfter(numbers, index, number));
  return isOrdered ? text : undefined;
}

/** Running ids ascend without a repetition. The first may be `xmin`, and `xmax` may be `xmin`. */
function isAfter(numbers: readonly bigint[], index: number, number: bigint): boolean {
  const previous = numbers[index - 1] ?? 0n;
  const isAtEdge = index === 1;
  return isAtEdge ? number >= previous : number > previous;
}

/**
 * The place that a new stream takes when all places are taken: the last one of the owner with most streams, in the project
 * of that owner with most streams. Between projects of one owner the same holds for the projects. Undefined when the new
 * stream would only swap the shares.
 */
export function placeToFree<Place extends { readonly projectId: string }>(
  taken: readonly Place[],
  projectId: string,
  ownerOf: (projectId: string) => string,
): Place | undefined {
  const most = largestGroup(taken, place => ownerOf(place.projectId));
  const ofOwner = taken.filter(place => ownerOf(place.projectId) === ownerOf(projectId));
  if (most.length > ofOwner.length + 1) return largestGroup(most, place => place.projectId).at(-1);
  const mostOfOwner = largestGroup(ofOwner, place => place.projectId);
  const ofProject = ofOwner.filter(place => place.projectId === projectId);
  return mostOfOwner.length > ofProject.length + 1 ? mostOfOwner.at(-1) : undefined;
}

/** The last one of several groups that are equally large. */
function largestGroup<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()].reduce((one, other) => (other.length >= one.length ? other : one), []);
}
