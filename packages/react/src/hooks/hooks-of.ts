import type { Read } from '@tessera/client/internals';
import type { Hooked } from './hooked-types.ts';
import { useReader } from './reader.ts';

/** A read called `listX` or `getX` has the hook `useX`. */
type HookName<Name> = Name extends `list${infer X}` | `get${infer X}` ? `use${X}` : never;

/** The hooks of a set of reads: the same arguments, and the value instead of a promise. */
export type HooksOf<Reads> = {
  readonly [Name in keyof Reads as HookName<Name>]: Reads[Name] extends Read<infer Args, infer Value>
    ? (...args: Args) => Hooked<Value>
    : never;
};

type AnyReads = Readonly<Record<string, Read>>;

/** Creates the hooks of a set of reads. */
export function hooksOf(reads: AnyReads): Readonly<Record<string, unknown>> {
  const hooks = Object.entries(reads).map(([name, read]) => [hookName(name), hookOf(read)]);
  return Object.fromEntries(hooks);
}

function hookName(name: string): string {
  return name.replace(/^(?:list|get)/, 'use');
}

function hookOf(read: Read): (...args: never[]) => unknown {
  return (...args) => useReader(read.reader(...(args as never)));
}
