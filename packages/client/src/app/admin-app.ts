import type { CurrentServerUser } from '../features/account/current-server-user.ts';
import { type EmailMethods, type EmailReads, emails } from '../features/admin/emails.ts';
import {
  type InternalApiKeyMethods,
  type InternalApiKeyReads,
  internalApiKeys,
} from '../features/admin/internal-api-keys.ts';
import { metrics } from '../features/admin/metrics.ts';
import {
  type PermissionDefinitionMethods,
  type PermissionDefinitionReads,
  permissionDefinitions,
} from '../features/admin/permission-definitions.ts';
import { type AdminProjectAppReads, adminProject } from '../features/admin/project.ts';
import { webhooks } from '../features/admin/webhooks.ts';
import type { ServerTeamsReads } from '../features/server/teams.ts';
import type { UsersReads } from '../features/server/users.ts';
import type { Platform } from '../platform/platform.ts';
import type { AppFields, AppMethods, Has, UserOf } from './app.ts';
import type { AdminAppInternals } from './app-internals.ts';
import type { Recipe } from './assemble.ts';
import type { AnyAppOptions } from './config.ts';
import type { Context } from './context.ts';
import { internals } from './internals-symbol.ts';
import type { AdminAppOptions, TokenStoreInit } from './options.ts';
import { onServers, Server, type ServerAppMethods } from './server-app.ts';
import { adminKeys } from './server-keys.ts';

/** Methods that an admin app has on top of a server app. */
export interface AdminAppMethods extends InternalApiKeyMethods, PermissionDefinitionMethods, EmailMethods {}

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
    EmailReads {
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
function admin(client: Context<'client'>) {
  const ctx = client.at('admin');
  const [keys, definitions, mails] = [internalApiKeys(ctx), permissionDefinitions(ctx), emails(ctx)];
  return {
    reads: { ...adminProject(ctx).reads, ...keys.reads, ...definitions.reads, ...mails.reads },
    methods: { ...keys.methods, ...definitions.methods, ...mails.methods },
    internals: { hookReads: { ...mails.hookReads, ...webhooks(ctx).hookReads, ...metrics(ctx).hookReads } },
  };
}

const adminRecipe: Recipe = { keysOf: adminKeys, features: [...onServers, admin] };

class Admin extends Server {
  constructor(options: AnyAppOptions, platform?: Platform) {
    super(options, platform, adminRecipe);
  }
}

/** Constructs admin apps. */
// The features add the members at run time. Each feature declares the interfaces that it implements.
export const AdminApp = Admin as unknown as AdminAppConstructor;
