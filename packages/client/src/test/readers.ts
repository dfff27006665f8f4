import { internals } from '../internals-symbol.ts';
import type { Read } from '../resource.ts';

/** A read of an object, as React finds it. */
export function readOfEntity(object: object, name: string): Read<unknown[], unknown> {
  const { reads } = (object as { [internals]: { reads: Record<string, Read<unknown[], unknown>> } })[internals];
  const read = reads[name];
  if (read === undefined) throw new Error(`there is no read ${name}`);
  return read;
}
