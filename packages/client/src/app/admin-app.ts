import type { CurrentServerUser } from '../features/account/current-user/current-server-user.ts';
import { type AuditLogMethods, type AuditLogReads, auditLog } from '../features/admin/audit-log.ts';
import { type EmailLogMethods, emailLog } from '../features/admin/email/email-log.ts';
import { type EmailMethods, type EmailReads, emails } from '../features/admin/email/emails.ts';
import { type MessageMethods, messages } from '../features/admin/email/messages.ts';
import {
  type InternalApiKeyMethods,
  type InternalApiKeyReads,
  internalApiKeys,
} from '../features/admin/internal-api-keys.ts';
import { type ApiKeyUsageReads, keyUse, type SigningKeyMethods } from '../features/admin/key-use.ts';
import { type MetricsReads, metrics } from '../features/admin/metrics.ts';
import {
  type PermissionDefinitionMethods,
  type PermissionDefinitionReads,
  permissionDefinitions,
} from '../features/admin/permission-definitions.ts';
import type { ProjectPolicyMethods, ProjectPolicyReads } from '../features/admin/policies/objects.ts';
import { projectPolicies } from '../features/admin/policies/project-policies.ts';
import { type AdminProjectAppReads, adminProject } from '../features/admin/project.ts';
import { type ProjectMemberMethods, projectMembers } from '../features/admin/project-members.ts';
import { type ProviderTestMethods, providerTests } from '../features/admin/provider-tests.ts';
import { type TeamListMethods, teamList } from '../features/admin/team-list.ts';
import { type UserAdministrationMethods, userAdministration } from '../features/admin/user-administration.ts';
import type { WebhookMethods, WebhookReads } from '../features/admin/webhooks/objects.ts';
import { svixToken } from '../features/admin/webhooks/svix-token.ts';
import { webhookEndpoints } from '../features/admin/webhooks/webhook-endpoints.ts';
import { type ServerObjects, serverObjects } from '../features/server/objects.ts';
import type { ServerTeamsReads } from '../features/server/teams.ts';
import type { UsersReads } from '../features/server/users.ts';
import { boundFetch } from '../platform/bounded-fetch.ts';
import { currentPlatform } from '../platform/current-platform.ts';
import type { Platform } from '../platform/platform.ts';
import type { AppFields, AppMethods, Has, UserOf } from './app.ts';
import type { AdminAppInternals } from './app-internals.ts';
import type { Recipe } from './assemble.ts';
import { App, everywhere } from './base-app.ts';
import type { AnyAppOptions } from './config/config.ts';
import type { AdminAppOptions, TokenStoreInit } from './config/options.ts';
import { adminKeys } from './config/server-keys.ts';
import type { Context } from './context.ts';
import { internals } from './internals-symbol.ts';
import type { ServerAppMethods } from './server-app.ts';
import { server } from './server-features.ts';

/** Methods that an admin app has on top of a server app. */
export interface AdminAppMethods
  extends InternalApiKeyMethods,
    PermissionDefinitionMethods,
    EmailMethods,
    EmailLogMethods,
    MessageMethods,
    AuditLogMethods,
    SigningKeyMethods,
    ProjectMemberMethods,
    ProviderTestMethods,
    TeamListMethods,
    ProjectPolicyMethods,
    WebhookMethods,
    UserAdministrationMethods {}

/** An app with admin access to a project. */
export interface AdminApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends AppFields<ProjectId>,
    AppMethods,
    ServerAppMethods<UserOf<ProjectId, CurrentServerUser>, HasTokenStore>,
    AdminAppMethods,
    AdminProjectAppReads,
    UsersReads,
    ServerTeamsReads,
    InternalApiKeyReads,
    PermissionDefinitionReads,
    EmailReads,
    AuditLogReads,
    ApiKeyUsageReads,
    MetricsReads,
    ProjectPolicyReads,
    WebhookReads {
  /** Internals for `@tessera/react`; not for apps. */
  readonly [internals]: AdminAppInternals<UserOf<ProjectId, CurrentServerUser>>;
}

/** Constructs admin apps. */
export interface AdminAppConstructor {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: AdminAppOptions<Store, ProjectId>,
  ): AdminApp<Has<Store>, ProjectId>;
}

/** The features of the admin level. */
function admin(client: Context<'client'>, objects: ServerObjects) {
  const ctx = client.at('admin');
  const mails = emails(ctx);
  const parts = {
    project: adminProject(ctx),
    keys: internalApiKeys(ctx),
    definitions: permissionDefinitions(ctx),
    auditLog: auditLog(ctx),
    keyUse: keyUse(ctx),
    metrics: metrics(ctx),
    members: projectMembers(ctx),
    policies: projectPolicies(ctx),
    webhooks: webhookEndpoints(ctx),
    administration: userAdministration(ctx, objects),
  };
  return {
    reads: {
      ...parts.project.reads,
      ...parts.keys.reads,
      ...parts.definitions.reads,
      ...mails.reads,
      ...parts.auditLog.reads,
      ...parts.keyUse.reads,
      ...parts.metrics.reads,
      ...parts.policies.reads,
      ...parts.webhooks.reads,
    },
    methods: {
      ...parts.keys.methods,
      ...parts.definitions.methods,
      ...mails.methods,
      ...emailLog(ctx).methods,
      ...messages(ctx).methods,
      ...parts.auditLog.methods,
      ...parts.keyUse.methods,
      ...parts.members.methods,
      ...providerTests(ctx).methods,
      ...teamList(ctx, objects.teams).methods,
      ...parts.policies.methods,
      ...parts.webhooks.methods,
      ...parts.administration.methods,
    },
    internals: { hookReads: { ...mails.hookReads, ...svixToken(ctx).hookReads } },
  };
}

/** Both levels share the objects of a server, such as users. */
function serverAndAdmin(client: Context<'client'>) {
  const objects = serverObjects(client.at('server'), 'admin');
  const [low, high] = [server(client, objects), admin(client, objects)];
  return {
    reads: { ...low.reads, ...high.reads },
    methods: { ...low.methods, ...high.methods },
    internals: { ...low.internals, ...high.internals },
  };
}

const adminRecipe: Recipe = {
  level: 'admin',
  keysOf: adminKeys,
  loadAdminApp: async () => AdminApp,
  features: [...everywhere, serverAndAdmin],
};

class Admin extends App {
  static override readonly level = 'admin';

  constructor(options: AnyAppOptions, platform: Platform = currentPlatform()) {
    super(adminRecipe, options, boundFetch(platform));
  }
}

/**
 * Constructs admin apps.
 *
 * @example
 * const app = new AdminApp({ tokenStore: null });
 * const project = await app.getProject();
 */
// The features add the members at run time. Each feature declares the interfaces that it implements.
export const AdminApp = Admin as unknown as AdminAppConstructor;
