import type { ClientAppJson } from './app-json.ts';
import type { Reader } from './cache/reader.ts';
import type { CurrentUser } from './features/current-user.ts';
import type { WhichUser } from './features/get-user.ts';
import type { ProjectReads } from './features/project.ts';
import type { UserJson } from './features/user.ts';
import type { RedirectMethod } from './options.ts';
import type { Read, Reads } from './resource.ts';

/** What hangs under the internals symbol of every object. */
export interface EntityInternals {
  readonly reads: Readonly<Record<string, Read>>;
}

/** What hangs under the internals symbol of an app. */
export interface AppInternals<User = CurrentUser, Json = UserJson> {
  readonly reads: Reads<ProjectReads>;
  readonly redirectMethod: RedirectMethod;
  /**
   * The signed-in user, or null. Follows the token store: after a sign-in, also one in another tab, it is the new
   * user. An anonymous user counts as null unless asked for. The same reader for the same options.
   */
  user(which?: WhichUser): Reader<User | null>;
  /** What `fromClientJson` makes the same app of, in another process. Holds no tokens and no keys of a server. */
  toClientJson(): ClientAppJson;
  /** Puts a user that was fetched elsewhere, e.g. while rendering on a server, into the cache of the current session. */
  setCurrentUser(user: Promise<Json | null>): void;
  /** A request below `/api/v1` with the current session. The answer is a successful one. */
  sendRequest(path: string, init?: RequestInit, level?: 'client' | 'server' | 'admin'): Promise<Response>;
}
