import { type CurrentUser, currentUser } from '../features/account/current-user.ts';
import type { GetCurrentUser } from '../features/account/get-user.ts';
import { type AppFlows, flows } from '../features/flows.ts';
import type { InternalUserPart } from '../features/projects/owned-projects.ts';
import { type ProjectReads, project } from '../features/projects/project.ts';
import { type RedirectMethods, redirects } from '../features/redirects.ts';
import type { HandlerUrls } from '../navigation/urls.ts';
import { currentPlatform, type Platform } from '../platform/platform.ts';
import type { AppInternals } from './app-internals.ts';
import { assemble, type Recipe } from './assemble.ts';
import type { AnyAppOptions } from './config.ts';
import { internals } from './internals-symbol.ts';
import type { ClientAppOptions, TokenStoreInit } from './options.ts';

/** What apps of all levels have. */
export interface AppMethods extends AppFlows, RedirectMethods {}

/** What apps of all levels know of themselves. */
export interface AppFields<ProjectId extends string> {
  /** Id of the project. */
  readonly projectId: ProjectId;
  /** Where the pages are, complete. */
  readonly urls: HandlerUrls;
}

/** A user of the project `internal` may own projects. */
export type UserOf<ProjectId extends string, User> = ProjectId extends 'internal' ? User & InternalUserPart : User;

/** What a browser may do: ask who is signed in, sign them up, in and out, and show the way to the pages. */
export interface ClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends AppFields<ProjectId>,
    AppMethods,
    ProjectReads {
  /** Asks who is signed in. */
  readonly getUser: GetCurrentUser<UserOf<ProjectId, CurrentUser>, HasTokenStore>;
  /** What `@tessera/react` needs of the app; not for apps. */
  readonly [internals]: AppInternals<UserOf<ProjectId, CurrentUser>>;
}

/** Whether an app with this token store can be asked for its user. */
export type Has<Store extends TokenStoreInit> = Store extends null ? false : true;

/** Makes client apps. */
export interface ClientAppConstructor {
  /** Takes what is left out from the environment. @throws when something is missing, naming the variable to set. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId>;
}

/** What apps of all levels are made of. */
export const everywhere: Recipe['features'] = [redirects, flows];

const clientRecipe: Recipe = { features: [...everywhere, project, currentUser] };

export class Client {
  constructor(options: AnyAppOptions, platform: Platform = currentPlatform(), recipe: Recipe = clientRecipe) {
    assemble(this, recipe, options, platform);
  }
}

/** Makes client apps. */
// The members of an app come from its features at run time; each feature declares which of the interfaces it fills.
export const ClientApp = Client as unknown as ClientAppConstructor;
