/** Values by lists of keys. Keys that are objects are held weakly. */
export class KeyMap<Value> {
  readonly #objects = new WeakMap<object, KeyMap<Value>>();
  readonly #others = new Map<unknown, KeyMap<Value>>();
  #value: Value | undefined;

  /** The value of these keys, made when it is missing. */
  get(keys: readonly unknown[], make: () => Value): Value {
    const [first, ...rest] = keys;
    if (keys.length > 0) return this.#branch(first).get(rest, make);
    this.#value ??= make();
    return this.#value;
  }

  #branch(key: unknown): KeyMap<Value> {
    const known = isObject(key) ? this.#objects.get(key) : this.#others.get(key);
    if (known !== undefined) return known;
    const branch = new KeyMap<Value>();
    if (isObject(key)) this.#objects.set(key, branch);
    else this.#others.set(key, branch);
    return branch;
  }
}

function isObject(key: unknown): key is object {
  return typeof key === 'object' && key !== null;
}
