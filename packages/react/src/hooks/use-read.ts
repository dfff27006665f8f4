import { internals } from '@tessera/client';
import type { EntityInternals, Reader } from '@tessera/client/internals';
import { type ReadState, useReadState } from './reader.ts';

/** The methods of an object that answer something later, by their names. */
type Methods<Entity> = {
  [Name in keyof Entity]: Entity[Name] extends (...args: infer Args) => Promise<infer Value> ? [Args, Value] : never;
};

/** What a read of an object knows at the moment, by the name of its method: `useRead(user, 'listTeams')`. */
export function useRead<Entity extends object, Name extends keyof Entity & string>(
  entity: Entity,
  name: Name,
  ...args: Methods<Entity>[Name][0]
): ReadState<Methods<Entity>[Name][1]> {
  return useReadState(readerOf(entity, name, args));
}

/** Every object of the client keeps its reads where React finds them. */
function readerOf<Value>(entity: object, name: string, args: readonly unknown[]): Reader<Value> {
  const read = (entity as { [internals]: EntityInternals })[internals].reads[name];
  if (read === undefined) throw new TypeError(`The object has no read ${name}.`);
  return read.reader(...(args as never)) as Reader<Value>;
}
