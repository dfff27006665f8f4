import type { EntityInternals } from '../app/app-internals.ts';
import { internals } from '../app/internals-symbol.ts';
import type { Read } from '../cache/resource.ts';

type AnyReads = Readonly<Record<string, Read>>;

/** The promise methods of reads, e.g. `getProject` for the read `getProject`. */
export type Fetches<R extends AnyReads> = { readonly [Name in keyof R]: R[Name]['fetch'] };

let membersFrom: (reads: AnyReads, fields: object) => object = () => ({});

/**
 * Lets a framework add members to every object that is created later, based on the object's reads, e.g. the hook
 * `useTeams` for the read `listTeams`. The fields are for what belongs to an object, e.g. the app of an owned project.
 */
export function extendEntities(extension: (reads: AnyReads, fields: object) => object): void {
  membersFrom = extension;
}

/**
 * A public object: a frozen snapshot of fields, with a method per read and other methods. The reads are under the
 * internals symbol, for React.
 */
export function entity<Fields extends object, R extends AnyReads, Methods extends object>(
  fields: Fields,
  reads: R,
  methods: Methods,
): Readonly<Fields & Fetches<R> & Methods & { [internals]: EntityInternals }> {
  const members = { ...fields, ...fetchesOf(reads), ...membersFrom(reads, fields), ...methods };
  return Object.freeze(withInternals(members, { reads }));
}

/** Adds the member for the SDK's own packages. It is not enumerable, so copies and comparisons do not see it. */
export function withInternals<T extends object, I extends object>(target: T, value: I): T & { [internals]: I } {
  return Object.defineProperty(target, internals, { value }) as T & { [internals]: I };
}

export function fetchesOf<R extends AnyReads>(reads: R): Fetches<R> {
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read.fetch])) as Fetches<R>;
}
