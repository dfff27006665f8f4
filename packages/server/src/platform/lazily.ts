/** A value that is created at its first use, such as a formatter of `Intl`: the first one takes 25 ms and 10 MB. */
export function lazily<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
