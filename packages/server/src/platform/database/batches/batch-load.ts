/** How many queries may run at once, and how many keys one of them may load. */
export interface BatchLoadLimits {
  readonly maxQueries: number;
  /** The most keys of one query. */
  readonly maxKeys: number;
  /** How long a query waits for further keys; default: until the end of the turn of the event loop. */
  readonly gatherMs?: number;
  /** A query with this many keys does not wait. Default: it waits for all keys of the turn. */
  readonly enoughKeys?: number;
}

const defaults: BatchLoadLimits = { maxQueries: 2, maxKeys: 100 };

/**
 * For a load that takes most of the time of its request. PostgreSQL already works on the first keys while this process
 * reads the requests with the others, so that neither waits for the other. Five keys share enough of a query's cost: on
 * two cores, three to seven serve about as many requests (docs/performance.md).
 */
export const overlapping: BatchLoadLimits = { ...defaults, enoughKeys: 5 };

interface Caller<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share one query. Without `gatherMs` it adds no delay: keys of one turn of the event loop are
 * sent together, at its end or as soon as there are `enoughKeys`, and keys that arrive while `maxQueries` run are sent
 * with the next one. A query always begins after the call, so its result is as fresh as that of a separate query.
 *
 * @param load returns the value of each key, in the order of the keys
 * @returns a function that loads one key; it fails as `load` fails, for all callers of that query
 */
export function batchLoad<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  limits: BatchLoadLimits = defaults,
): (key: Key) => Promise<Value> {
  const { maxQueries, maxKeys, gatherMs, enoughKeys = Infinity } = limits;
  const waiting: Caller<Key, Value>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (running >= maxQueries) return;
    if (waiting.length >= enoughKeys) sendQuery();
    else if (!isScheduled) sendLater();
  }

  function sendLater(): void {
    isScheduled = true;
    if (gatherMs === undefined) setImmediate(sendScheduled);
    else setTimeout(sendScheduled, gatherMs);
  }

  function sendScheduled(): void {
    isScheduled = false;
    if (waiting.length > 0 && running < maxQueries) sendQuery();
  }

  function sendQuery(): void {
    const callers = waiting.splice(0, maxKeys);
    running++;
    void loadFor(callers).finally(() => {
      running--;
      if (waiting.length > 0) schedule();
    });
    if (waiting.length > 0) schedule();
  }

  async function loadFor(callers: readonly Caller<Key, Value>[]): Promise<void> {
    try {
      const values = await load(callers.map(({ key }) => key));
      if (values.length !== callers.length) throw new Error(`${values.length} values for ${callers.length} keys`);
      callers.forEach(({ resolve }, place) => {
        resolve(values[place] as Value);
      });
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
