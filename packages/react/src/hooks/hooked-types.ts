import type * as core from '@tessera/client';
import type {
  AdminProjectReads,
  ConnectedAccountReads,
  CurrentUserReads,
  OwnedProjectReads,
  Reads,
  ServerTeamReads,
  ServerUserReads,
  TeamReads,
} from '@tessera/client/internals';
import type { AdminApp } from '../app/apps.ts';
import type { HooksOf } from './hooks-of.ts';

/** What hooks return for a value of the client: its objects with hooks. */
export type Hooked<Value> = Value extends (infer Item)[]
  ? Item[] extends Value
    ? Hooked<Item>[]
    : Hooked<Item>[] & Omit<Value, keyof unknown[]>
  : Value extends core.CurrentServerUser
    ? CurrentServerUser
    : Value extends core.ServerTeamUser
      ? ServerTeamUser
      : Value extends core.FoundUser
        ? FoundUser
        : Value extends core.ServerUser
          ? ServerUser
          : Value extends core.CurrentUser
            ? CurrentUser
            : Value extends core.ServerTeam
              ? ServerTeam
              : Value extends core.Team
                ? Team
                : Value extends core.AdminOwnedProject
                  ? AdminOwnedProject
                  : Value extends core.AdminProject
                    ? AdminProject
                    : Value extends core.OAuthConnection
                      ? OAuthConnection
                      : Value;

/** Promise methods whose results have hooks. */
export type HookedMethods<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Promise<Hooked<Value>>
    : never;
};

/** An interface of the client in which these promise methods return objects with hooks. */
export type WithHooked<Methods, Name extends keyof Methods> = Omit<Methods, Name> & HookedMethods<Pick<Methods, Name>>;

/** A team, as its members see it. */
export interface Team extends core.Team, HooksOf<Reads<TeamReads>> {}

/** A team, as a server sees it. */
export interface ServerTeam extends WithHooked<core.ServerTeam, 'listUsers'>, HooksOf<Reads<ServerTeamReads>> {}

/** A project, as its owner sees it. */
export interface AdminProject extends core.AdminProject, HooksOf<Reads<AdminProjectReads>> {}

/** A project that a user owns. */
export interface AdminOwnedProject extends core.AdminOwnedProject, HooksOf<Reads<AdminProjectReads>> {
  /** An app for this project, with the rights of its owner. */
  readonly app: AdminApp<false>;
}

/** An account at a provider. */
export interface OAuthConnection extends core.OAuthConnection {
  /** An access token for the provider's API. */
  useAccessToken(): { accessToken: string };
}

/** Hooks for provider accounts. */
interface ConnectedAccountHooks {
  /** The account. `redirect` goes to the provider, `throw` fails when it is not connected. */
  useConnectedAccount(
    providerId: core.ProviderName,
    options: core.ConnectedAccountOptions & { readonly or: 'redirect' | 'throw' },
  ): OAuthConnection;
  /** The account, or null. */
  useConnectedAccount(providerId: core.ProviderName, options?: core.ConnectedAccountOptions): OAuthConnection | null;
}

/** The promise methods with the same name. */
interface ConnectedAccountMethods {
  /** The account. @throws when the project does not have the provider, or uses shared keys for it. */
  getConnectedAccount(
    providerId: core.ProviderName,
    options: core.ConnectedAccountOptions & { readonly or: 'redirect' | 'throw' },
  ): Promise<OAuthConnection>;
  /** The account, or null. @throws when the project does not have the provider, or uses shared keys for it. */
  getConnectedAccount(
    providerId: core.ProviderName,
    options?: core.ConnectedAccountOptions,
  ): Promise<OAuthConnection | null>;
}

type UserHooks<AllReads> = Omit<HooksOf<Reads<AllReads>>, 'useConnectedAccount'> & ConnectedAccountHooks;

/** The members that hooks add to a user. */
type UserWith<User, AllReads, AnyTeam> = Omit<
  User,
  'selectedTeam' | 'listTeams' | 'getTeam' | 'createTeam' | 'getConnectedAccount'
> &
  UserHooks<AllReads> &
  ConnectedAccountMethods & {
    readonly selectedTeam: AnyTeam | null;
    /** The teams of the user, oldest first. */
    listTeams(): Promise<AnyTeam[]>;
    /** One of them; null when the user is not a member. */
    getTeam(id: string): Promise<AnyTeam | null>;
    /** The user becomes creator and member, and the team is selected. */
    createTeam(options: core.TeamCreateOptions): Promise<AnyTeam>;
  };

/** The signed-in user. */
export interface CurrentUser extends UserWith<core.CurrentUser, CurrentUserReads, Team> {}

/** The signed-in user, as a server sees them. */
export interface CurrentServerUser
  extends UserWith<core.CurrentServerUser, ServerUserReads & ConnectedAccountReads, ServerTeam> {}

/** Any user, as a server sees them. */
export interface ServerUser extends UserWith<core.ServerUser, ServerUserReads, ServerTeam> {}

/** A member of a team, as a server sees them. */
export interface ServerTeamUser extends UserWith<core.ServerTeamUser, ServerUserReads, ServerTeam> {}

/** A user of a filtered list. */
export interface FoundUser extends UserWith<core.FoundUser, ServerUserReads, ServerTeam> {}

/** The additional members of a user of project `internal`. */
export interface OwnerHooks
  extends WithHooked<core.InternalUserPart, 'createProject' | 'listOwnedProjects'>,
    HooksOf<Reads<OwnedProjectReads>> {}
