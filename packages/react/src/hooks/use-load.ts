import { useEffect, useRef, useState } from 'react';
import { createOwnReader } from './own-reader.ts';
import { type ReadState, useReadState } from './reader.ts';

/** A value that is loaded when the component opens and is not cached. `change` edits the loaded value. */
export type Load<Value> = ReadState<Value> & { readonly change: (next: (value: Value) => Value) => void };

export function useLoad<Value>(read: () => Promise<Value>): Load<Value> {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  const [reader] = useState(() => createOwnReader(() => latest.current()));
  return { ...useReadState(reader), change: reader.change };
}
