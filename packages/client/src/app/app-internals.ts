import type { Reader } from '../cache/reader.ts';
import type { Read, Reads } from '../cache/resource.ts';
import type { CurrentServerUser } from '../features/account/current-user/current-server-user.ts';
import type { CurrentUser } from '../features/account/current-user/current-user.ts';
import type { WhichUser } from '../features/account/current-user/get-user.ts';
import type { ServerUserJson, UserJson } from '../features/account/user.ts';
import type { AuditLogReads } from '../features/admin/audit-log.ts';
import type { EmailHookReads, EmailReads } from '../features/admin/email/emails.ts';
import type { InternalApiKeyReads } from '../features/admin/internal-api-keys.ts';
import type { ApiKeyUsageReads } from '../features/admin/key-use.ts';
import type { MetricsReads } from '../features/admin/metrics.ts';
import type { PermissionDefinitionReads } from '../features/admin/permission-definitions.ts';
import type { ProjectPolicyReads } from '../features/admin/policies/objects.ts';
import type { AdminProjectAppReads } from '../features/admin/project.ts';
import type { WebhookReads } from '../features/admin/webhooks/objects.ts';
import type { WebhookHookReads } from '../features/admin/webhooks/svix-token.ts';
import type { ProjectReads } from '../features/projects/project.ts';
import type { ServerTeamsReads } from '../features/server/teams.ts';
import type { ServerUser } from '../features/server/user.ts';
import type { UserById, UsersReads } from '../features/server/users.ts';
import type { RedirectMethod } from './config/options.ts';

/** The member under the internals symbol of every object. */
export interface EntityInternals {
  readonly reads: Readonly<Record<string, Read>>;
}

/** The member under the internals symbol of an app. */
export interface AppInternals<User = CurrentUser, Json = UserJson, AppReads = ProjectReads> {
  readonly reads: Reads<AppReads>;
  readonly redirectMethod: RedirectMethod;
  /**
   * The signed-in user, or null. Follows the token store: after a sign-in in this or another tab it is the new user.
   * An anonymous user counts as null unless `includeAnonymous` is set. Equal options return the same reader.
   */
  user(which?: WhichUser): Reader<User | null>;
  /** Creates an anonymous user. Concurrent calls share one sign-up. */
  signUpAnonymously(): Promise<void>;
  /** Stores a user from elsewhere, e.g. from server rendering, in the cache of the current session. Resolves when it is stored. */
  setCurrentUser(user: Promise<Json | null>): Promise<void>;
  /** The app was created for one server-rendered response and has its user, so hooks render the user on the server. */
  readonly knowsUserOnServer?: boolean | undefined;
  /** Sends a request below `/api/v1` with the current session. Resolves to a successful response. */
  sendRequest(path: string, init?: RequestInit, level?: 'client' | 'server' | 'admin'): Promise<Response>;
}

/** Reads of an app with a server key. */
export interface ServerAppReads extends ProjectReads, UsersReads, ServerTeamsReads {}

/** The member under the internals symbol of an app with a server key. */
export interface ServerAppInternals<User = CurrentServerUser, AppReads = ServerAppReads>
  extends AppInternals<User, ServerUserJson, AppReads> {
  /** Any user, by id or by a user API key; null when there is none. */
  userById(which: UserById): Reader<ServerUser | null>;
}

/** Reads of an admin app. */
export interface AdminAppReads
  extends AdminProjectAppReads,
    UsersReads,
    ServerTeamsReads,
    InternalApiKeyReads,
    PermissionDefinitionReads,
    EmailReads,
    AuditLogReads,
    ApiKeyUsageReads,
    MetricsReads,
    ProjectPolicyReads,
    WebhookReads {}

/** The member under the internals symbol of an admin app. */
export interface AdminAppInternals<User = CurrentServerUser> extends ServerAppInternals<User, AdminAppReads> {
  /** Reads that have a hook and no method. */
  readonly hookReads: Reads<EmailHookReads & WebhookHookReads>;
}
