/** A bounded queue of several owners, who are served in turn. */
export interface FairQueue<T> {
  /** Adds an item. @returns the item that lost its place because the queue is full: the last one of the longest owner */
  push(owner: string, item: T): T | undefined;
  /** Takes the first item of the owner whose turn it is. */
  shift(): T | undefined;
  size(): number;
}

export function createFairQueue<T>(maxSize: number): FairQueue<T> {
  /** In the order of their turns. */
  const itemsOf = new Map<string, T[]>();
  let size = 0;

  function add(owner: string, item: T): void {
    const items = itemsOf.get(owner);
    if (items === undefined) itemsOf.set(owner, [item]);
    else items.push(item);
  }

  return {
    push(owner, item) {
      if (size < maxSize) {
        size++;
        add(owner, item);
        return undefined;
      }
      const longest = [...itemsOf.values()].reduce((one, other) => (other.length > one.length ? other : one));
      if (longest.length <= (itemsOf.get(owner)?.length ?? 0) + 1) return item;
      add(owner, item);
      return longest.pop();
    },
    shift() {
      const [turn] = itemsOf;
      if (turn === undefined) return undefined;
      const [owner, items] = turn;
      const item = items.shift();
      size--;
      itemsOf.delete(owner);
      if (items.length > 0) itemsOf.set(owner, items);
      return item;
    },
    size: () => size,
  };
}
