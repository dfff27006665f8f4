import type { Read } from '@tessera/client/internals';
import { useReader } from './reader.ts';

/** A read called `listX` or `getX` has the hook `useX`. */
type HookName<Name> = Name extends `list${infer X}` | `get${infer X}` ? `use${X}` : never;

/** The hooks of a set of reads: the same arguments, and the value itself instead of a promise. */
export type HooksOf<Reads> = {
  readonly [Name in keyof Reads as HookName<Name>]: Reads[Name] extends Read<infer Args, infer Value>
    ? (...args: Args) => Value
    : never;
};

/** Makes the hooks of a set of reads. */
export function hooksOf<Reads extends Readonly<Record<keyof Reads, Read>>>(reads: Reads): HooksOf<Reads> {
  const names = Object.keys(reads) as (keyof Reads & string)[];
  const hooks = names.map(name => [hookName(name), hookOf(reads[name])]);
  return Object.fromEntries(hooks);
}

function hookName(name: string): string {
  return name.replace(/^(?:list|get)/, 'use');
}

function hookOf(read: Read): (...args: never[]) => unknown {
  return (...args) => useReader(read.reader(...(args as never)));
}
