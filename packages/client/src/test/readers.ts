import { internals } from '../app/internals-symbol.ts';
import type { Read } from '../cache/resource.ts';
import { soon } from './soon.ts';

/** A read of an object, as React finds it. */
export function readOfEntity(object: object, name: string): Read<unknown[], unknown> {
  const { reads } = (object as { [internals]: { reads: Record<string, Read<unknown[], unknown>> } })[internals];
  const read = reads[name];
  if (read === undefined) throw new Error(`there is no read ${name}`);
  return read;
}

/** Watches a read of an object, as a hook does. */
export async function watch(object: object, name: string) {
  const reader = readOfEntity(object, name).reader();
  reader.subscribe(() => {});
  await soon(reader.promise());
  return reader;
}
