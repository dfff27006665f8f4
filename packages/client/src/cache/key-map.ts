/** Limit of unused entries without an object key. A server sees many users. */
const keptUnused = 1000;

interface Kept<Value> {
  readonly keys: readonly unknown[];
  readonly value: Value;
}

type Group<Value> = Map<string, Kept<Value>>;

/**
 * Values by lists of keys. A first key that is an object is held weakly, with all values under it. Of the other values
 * the oldest unused ones are dropped above the limit.
 */
export class KeyMap<Value> {
  readonly #byObject = new WeakMap<object, Group<Value>>();
  readonly #others: Group<Value> = new Map();
  readonly #isInUse: (value: Value) => boolean;

  constructor(isInUse: (value: Value) => boolean = () => false) {
    this.#isInUse = isInUse;
  }

  /** The value of these keys. Creates a missing one. */
  get(keys: readonly unknown[], make: () => Value): Value {
    const group = this.#groupOf(keys[0]);
    const name = nameOf(keys);
    const kept = group.get(name) ?? { keys, value: make() };
    // Moved to the end, so that the map is ordered from least to most recently used.
    group.delete(name);
    group.set(name, kept);
    if (group === this.#others) this.#drop();
    return kept.value;
  }

  /** The values whose keys have this prefix. */
  under(prefix: readonly unknown[]): Value[] {
    return [...this.#groupOf(prefix[0]).values()]
      .filter(({ keys }) => prefix.every((key, index) => keys[index] === key))
      .map(({ value }) => value);
  }

  #groupOf(first: unknown): Group<Value> {
    if (typeof first !== 'object' || first === null) return this.#others;
    const group: Group<Value> = this.#byObject.get(first) ?? new Map();
    this.#byObject.set(first, group);
    return group;
  }

  #drop(): void {
    let surplus = this.#others.size - keptUnused;
    for (const [name, { value }] of this.#others) {
      if (surplus-- <= 0) return;
      if (!this.#isInUse(value)) this.#others.delete(name);
    }
  }
}

/** The first key is plain, or already identifies the group. */
function nameOf([first, ...rest]: readonly unknown[]): string {
  return JSON.stringify([typeof first === 'object' ? null : first, ...rest]);
}
