/** How many questions may be on their way to the database at once, and how much one of them may ask. */
export interface BatchLoadLimits {
  readonly underWay: number;
  readonly keys: number;
}

const usual: BatchLoadLimits = { underWay: 2, keys: 100 };

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets callers who ask the same thing for different keys share one query. Nobody waits for company: what is asked in
 * one turn of the event loop leaves together at its end, and what comes while `underWay` queries are out leaves with
 * the next of them. So a query always begins after the question, and its answer is as fresh as one of the caller's own.
 *
 * @param load answers each key at its place
 * @returns answers one key; fails as `load` fails, for everybody who shared it
 */
export function batchLoad<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  limits = usual,
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = [];
  let underWay = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || underWay >= limits.underWay) return;
    isScheduled = true;
    setImmediate(depart);
  }

  function depart(): void {
    isScheduled = false;
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
      if (values.length !== together.length)
        throw new Error(`${values.length} answers to ${together.length} questions`);
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
