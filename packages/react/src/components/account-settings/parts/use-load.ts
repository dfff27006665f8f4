import { useEffect, useRef, useState } from 'react';
import type { ReadState } from '../../../hooks/reader.ts';

/** A value that is loaded when the component opens and is not cached. `change` edits the loaded value. */
export type Load<Value> = ReadState<Value> & { readonly change: (next: (value: Value) => Value) => void };

export function useLoad<Value>(read: () => Promise<Value>): Load<Value> {
  const [value, setValue] = useState<Value>();
  const [error, setError] = useState<unknown>();
  const hasStarted = useRef(false);

  async function load() {
    setError(undefined);
    try {
      setValue(await read());
    } catch (reason) {
      setError(reason);
    }
  }

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void load();
  });

  return {
    value,
    error,
    retry: load,
    change: next => setValue(now => (now === undefined ? undefined : next(now))),
  };
}
