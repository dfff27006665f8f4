import { useEffect, useState } from 'react';

/** The value as it was when it last stayed unchanged for `pauseMs` milliseconds: not each key is searched or rendered. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
