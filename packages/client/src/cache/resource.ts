import { orThrow, type Result } from '../errors/result.ts';
import { Entry, type EntryDeps, type Source } from './entry.ts';
import { KeyMap } from './key-map.ts';
import type { Reader } from './reader.ts';

/** A read of an app or an object: its method fetches, its reader subscribes. */
export interface Read<Args extends unknown[] = never, T = unknown> {
  /** Always fetches. @throws the error of the fetch. */
  fetch(...args: Args): Promise<T>;
  /** Equal arguments return the same reader. */
  reader(...args: Args): Reader<T>;
}

/** The reads of an interface of promise methods, by name. */
export type Reads<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer T>
    ? Read<Args, T>
    : never;
};

/** A cached kind of data: one entry per list of keys. */
export interface Resource<Keys extends unknown[], T> extends Read<Keys, T> {
  entry(...keys: Keys): Entry<T>;
}

/** The kinds of data that another operation invalidates. */
export type Kind =
  | 'user'
  | 'userById'
  | 'userByKey'
  | 'userOfKey'
  | 'users'
  | 'teams'
  | 'teamById'
  | 'teamByKey'
  | 'teamOfKey'
  | 'project'
  | 'ownedProjects'
  | 'contactChannels'
  | 'teamPermissions'
  | 'projectPermissions'
  | 'memberProfile'
  | 'memberProfiles'
  | 'invitations'
  | 'userApiKeys'
  | 'teamApiKeys'
  | 'notificationCategories'
  | 'internalApiKeys'
  | 'emailTemplates'
  | 'teamPermissionDefinitions'
  | 'projectPermissionDefinitions'
  | 'anonymousUserSettings'
  | 'passwordPolicy'
  | 'passkeyPolicy'
  | 'emailVerificationSettings'
  | 'accountDeletionSettings'
  | 'signUpRestrictions'
  | 'sessionPolicy'
  | 'signInNoticeSettings'
  | 'invitationSettings'
  | 'teamRoleSettings'
  | 'branding'
  | 'limits'
  | 'auditLogSettings'
  | 'webhookEndpoints'
  | 'webhookMessages'
  | 'webhookEndpointMessages'
  | 'webhookAttempts';

/** The caches of an app. */
export interface Resources {
  /** Creates the cache of a kind of data, e.g. `make('teams', (session: Session) => ({ load: () => … }))`. */
  make<Keys extends unknown[], T>(kind: Kind | null, sourceOf: (...keys: Keys) => Source<T>): Resource<Keys, T>;
  /** Call after data of this kind and key prefix changed. Resolves when entries with listeners have the new value. */
  renew(kind: Kind, ...prefix: readonly unknown[]): Promise<void>;
  /** The cached result of this kind and these exact keys, without a request. */
  peek(kind: Kind, ...keys: readonly unknown[]): Result<unknown> | undefined;
}

export function createResources(deps: EntryDeps): Resources {
  const kinds = new Map<Kind, Pick<KeyMap<Pick<Entry<unknown>, 'renew' | 'peek'>>, 'under'>>();
  return {
    make<Keys extends unknown[], T>(kind: Kind | null, sourceOf: (...keys: Keys) => Source<T>): Resource<Keys, T> {
      const entries = new KeyMap<Entry<T>>(({ isWatched }) => isWatched);
      if (kind !== null) kinds.set(kind, entries);
      const entry = (...keys: Keys) => entries.get(keys, () => new Entry(sourceOf(...keys), deps, keys[0]));
      return { entry, ...readOf(entry) };
    },
    async renew(kind, ...prefix) {
      await Promise.all((kinds.get(kind)?.under(prefix) ?? []).map(entry => entry.renew()));
    },
    peek: (kind, ...keys) => kinds.get(kind)?.under(keys)[0]?.peek(),
  };
}

/** A read based on readers, e.g. of a resource with some keys bound. */
export function readOf<Args extends unknown[], T>(reader: (...args: Args) => Reader<T>): Read<Args, T> {
  return { reader, fetch: async (...args) => orThrow(await reader(...args).refresh()) };
}
