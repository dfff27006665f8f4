/** How many queries may run at once, and how many keys one of them may load. */
export interface BatchLoadLimits {
  readonly underWay: number;
  readonly keys: number;
  /** How long a query waits for further keys; default: until the end of the turn of the event loop. */
  readonly gatherMs?: number;
  /** A query with this many keys does not wait. Default: it waits for all keys of the turn. */
  readonly enough?: number;
}

const usual: BatchLoadLimits = { underWay: 2, keys: 100 };

/**
 * For a load that takes most of the time of its request. PostgreSQL already works on the first keys while this process
 * reads the requests with the others, so that neither waits for the other. Five keys share enough of a query's cost: on
 * two cores, three to seven serve about as many requests (docs/performance.md).
 */
export const overlapping: BatchLoadLimits = { ...usual, enough: 5 };

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share one query. Without `gatherMs` it adds no delay: keys of one turn of the event loop are
 * sent together, at its end or as soon as there are `enough`, and keys that arrive while `underWay` queries run are sent
 * with the next one. A query always begins after the call, so its result is as fresh as that of a separate query.
 *
 * @param load returns the value of each key, in the order of the keys
 * @returns a function that loads one key; it fails as `load` fails, for all callers of that query
 */
export function batchLoad<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  limits: BatchLoadLimits = usual,
): (key: Key) => Promise<Value> {
  const { enough = Infinity } = limits;
  const waiting: Waiting<Key, Value>[] = [];
  let underWay = 0;
  let isScheduled = false;

  function schedule(): void {
    if (underWay >= limits.underWay) return;
    if (waiting.length >= enough) depart();
    else if (!isScheduled) departLater();
  }

  function departLater(): void {
    isScheduled = true;
    if (limits.gatherMs === undefined) setImmediate(departAsScheduled);
    else setTimeout(departAsScheduled, limits.gatherMs);
  }

  function departAsScheduled(): void {
    isScheduled = false;
    if (waiting.length > 0 && underWay < limits.underWay) depart();
  }

  function depart(): void {
    const together = waiting.splice(0, limits.keys);
    underWay++;
    void answer(together).finally(() => {
      underWay--;
      if (waiting.length > 0) schedule();
    });
    if (waiting.length > 0) schedule();
  }

  async function answer(together: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await load(together.map(({ key }) => key));
      if (values.length !== together.length) throw new Error(`${values.length} values for ${together.length} keys`);
      together.forEach(({ resolve }, place) => {
        resolve(values[place] as Value);
      });
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
