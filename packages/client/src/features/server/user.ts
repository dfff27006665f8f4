import type { ConnectedAccountReads } from '../account/connected-accounts.ts';
import type { ServerContactChannelCreation, ServerContactChannelReads } from '../account/contact-channels.ts';
import type { NotificationReads } from '../account/notifications.ts';
import type { PermissionGrantMethods, PermissionMethods, PermissionReads } from '../account/permissions.ts';
import type { PrimaryEmailMethods } from '../account/primary-email.ts';
import type { ActiveSessionMethods } from '../account/safety/active-sessions.ts';
import type { PasswordChangeMethods } from '../account/safety/password-change.ts';
import type { ServerUserFields as UserFields, UserJson } from '../account/user.ts';
import type { ServerUserUpdateMethods } from '../account/user-update.ts';
import type { UserApiKeyMethods, UserApiKeyReads } from '../api-keys/api-keys.ts';
import type { UserTeamMethods, UserTeamReads } from '../teams/teams.ts';
import type { ServerSessionMethods } from './sessions.ts';
import type { SuspensionMethods } from './suspension.ts';
import type { ServerTeam } from './teams.ts';

/** What a server knows of a user. A snapshot. */
export interface ServerUserFields extends UserFields {
  /** The team that the user works in at the moment; null for none. */
  readonly selectedTeam: ServerTeam | null;
}

/** Reads of a user at a server. */
export interface ServerUserReads
  extends ServerContactChannelReads,
    NotificationReads,
    ConnectedAccountReads,
    UserTeamReads<ServerTeam>,
    PermissionReads,
    UserApiKeyReads {}

/** What a server may do with a user. */
export interface ServerUserMethods
  extends ServerUserUpdateMethods,
    PasswordChangeMethods,
    PrimaryEmailMethods,
    ServerContactChannelCreation,
    UserTeamMethods<ServerTeam>,
    PermissionMethods,
    PermissionGrantMethods,
    ActiveSessionMethods,
    ServerSessionMethods,
    SuspensionMethods,
    UserApiKeyMethods {
  /** The user as their own client would see them. */
  toClientJson(): UserJson;
}

/** A user as a server sees them, with all that it may do. */
export interface ServerUser extends ServerUserFields, ServerUserReads, ServerUserMethods {}
