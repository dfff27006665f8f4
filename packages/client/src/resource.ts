import { Entry, type EntryMeans, type Source } from './cache/entry.ts';
import { KeyMap } from './cache/key-map.ts';
import type { Reader } from './cache/reader.ts';
import { orThrow } from './result.ts';

/** A read of an app or an object: fetched by its method, watched by its reader. */
export interface Read<Args extends unknown[] = never, T = unknown> {
  /** Always fetches. @throws what the fetch failed with. */
  fetch(...args: Args): Promise<T>;
  /** The same reader for the same arguments. */
  reader(...args: Args): Reader<T>;
}

/** The reads behind an interface of promise methods, by name. */
export type Reads<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer T>
    ? Read<Args, T>
    : never;
};

/** A cached kind of data: one entry per list of keys. */
export interface Resource<Keys extends unknown[], T> extends Read<Keys, T> {
  entry(...keys: Keys): Entry<T>;
}

/** Makes the cache of a kind of data, e.g. `resource((session: Session) => ({ load: () => … }))`. */
export type MakeResource = <Keys extends unknown[], T>(sourceOf: (...keys: Keys) => Source<T>) => Resource<Keys, T>;

export function createMakeResource(means: EntryMeans): MakeResource {
  return <Keys extends unknown[], T>(sourceOf: (...keys: Keys) => Source<T>) => {
    const entries = new KeyMap<Entry<T>>();
    const entry = (...keys: Keys) => entries.get(keys, () => new Entry(sourceOf(...keys), means));
    return { entry, reader: entry, fetch: async (...keys: Keys) => orThrow(await entry(...keys).refresh()) };
  };
}
