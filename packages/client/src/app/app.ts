import { type CurrentUser, currentUser } from '../features/account/current-user/current-user.ts';
import type { GetCurrentUser, UserObservation } from '../features/account/current-user/get-user.ts';
import type { AppFlows } from '../features/flows.ts';
import type { InternalUserPart } from '../features/projects/owned-projects.ts';
import { type ProjectReads, project } from '../features/projects/project.ts';
import type { RedirectMethods } from '../features/redirects.ts';
import type { SignOutMethods } from '../features/sign-in/sign-out.ts';
import type { HandlerUrls } from '../navigation/urls.ts';
import type { Platform } from '../platform/platform.ts';
import type { AppInternals } from './app-internals.ts';
import type { Recipe } from './assemble.ts';
import { App, everywhere } from './base-app.ts';
import type { AnyAppOptions } from './config/config.ts';
import type { ClientAppOptions, OwnerSessionOptions, TokenStoreInit } from './config/options.ts';
import { internals } from './internals-symbol.ts';

/** Methods of apps of all levels. */
export interface AppMethods extends AppFlows, SignOutMethods, RedirectMethods {}

/** Fields of apps of all levels. */
export interface AppFields<ProjectId extends string> {
  /** Id of the project. */
  readonly projectId: ProjectId;
  /** The addresses of all pages. */
  readonly urls: HandlerUrls;
}

/** A user of the project `internal` may own projects. */
export type UserOf<ProjectId extends string, User> = ProjectId extends 'internal' ? User & InternalUserPart : User;

/** An app with client access: reads the signed-in user, signs users up, in and out, and redirects to pages. */
export interface ClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends AppFields<ProjectId>,
    AppMethods,
    ProjectReads,
    UserObservation<UserOf<ProjectId, CurrentUser>> {
  /** Reads the signed-in user. */
  readonly getUser: GetCurrentUser<UserOf<ProjectId, CurrentUser>, HasTokenStore>;
  /** Internals for `@tessera/react`; not for apps. */
  readonly [internals]: AppInternals<UserOf<ProjectId, CurrentUser>>;
}

/** Whether an app with this token store can read its user. */
export type Has<Store extends TokenStoreInit> = Store extends null ? false : true;

/** Constructs client apps. */
export interface ClientAppConstructor {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: OwnerSessionOptions<Store, ProjectId> | ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId>;
}

const clientRecipe: Recipe = {
  level: 'client',
  loadAdminApp: async () => (await import('./admin-app.ts')).AdminApp,
  features: [...everywhere, project, currentUser],
};

class Client extends App {
  static override readonly level = 'client';

  constructor(options: AnyAppOptions, platform?: Platform) {
    super(clientRecipe, options, platform);
  }
}

/**
 * Constructs client apps.
 *
 * @example
 * const app = new ClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });
 * const user = await app.getUser({ or: 'redirect' });
 */
// The features add the members at run time. Each feature declares the interfaces that it implements.
export const ClientApp = Client as unknown as ClientAppConstructor;
