/**
 * The door for `@tessera/react`, not for apps: its names may change in any version.
 *
 * An app and every object that it hands out keep what React needs under the symbol {@link internals}:
 *
 * ```ts
 * app[internals].user({ tokenStore })            // Reader<CurrentUser | null>, follows sign-in and sign-out
 * app[internals].reads.getProject.reader()       // Reader<Project>; one entry per read, by the name of its method
 * user[internals].reads                          // the same for objects
 * app[internals].redirectMethod                  // as given, for useNavigate
 * ```
 *
 * A hook is `useSyncExternalStore(reader.subscribe, reader.peek)`; while that is undefined it suspends on
 * `reader.promise()` and peeks again.
 */
export type { AppInternals, EntityInternals } from './app-internals.ts';
export type { Reader } from './cache/reader.ts';
export { notSignedIn } from './features/get-user.ts';
export { internals } from './internals-symbol.ts';
export type { Read, Reads } from './resource.ts';
