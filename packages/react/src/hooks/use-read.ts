import { internals } from '@tessera/client';
import type { EntityInternals, Reader } from '@tessera/client/internals';
import { type ReadState, useReadState } from './reader.ts';

/** The methods of an object that return a promise, by name. */
type Methods<Entity> = {
  [Name in keyof Entity]: Entity[Name] extends (...args: infer Args) => Promise<infer Value> ? [Args, Value] : never;
};

/** The state of a read of an object, by method name: `useRead(user, 'listTeams')`. */
export function useRead<Entity extends object, Name extends keyof Entity & string>(
  entity: Entity,
  name: Name,
  ...args: Methods<Entity>[Name][0]
): ReadState<Methods<Entity>[Name][1]> {
  return useReadState(readerOf(entity, name, args));
}

/** Every object of the client stores its reads under a symbol for React. */
function readerOf<Value>(entity: object, name: string, args: readonly unknown[]): Reader<Value> {
  const read = (entity as { [internals]: EntityInternals })[internals].reads[name];
  if (read === undefined) throw new TypeError(`The object has no read ${name}.`);
  return read.reader(...(args as never)) as Reader<Value>;
}
