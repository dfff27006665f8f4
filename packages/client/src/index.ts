/** The SDK of Tessera without a framework: apps for browsers, servers and the owners of projects. */

export type { Json } from '@tessera/protocol';
export { isKnown, KnownError, KnownErrors } from '@tessera/protocol/errors';
export {
  AdminApp,
  type AdminAppConstructor,
  ClientApp,
  type ClientAppConstructor,
  ServerApp,
  type ServerAppConstructor,
} from './app.ts';
export type { ClientAppJson } from './app-json.ts';
export type { CurrentServerUser } from './features/current-server-user.ts';
export type { CurrentUser } from './features/current-user.ts';
export type { GetCurrentUser, GetUserOptions, Or } from './features/get-user.ts';
export type { Project, ProjectConfig } from './features/project.ts';
export type { RedirectToOptions } from './features/redirects.ts';
export type { SignOutOptions } from './features/sign-out.ts';
export type { ServerTeam, Team } from './features/team.ts';
export type { ServerUserFields, ServerUserJson, UserFields, UserJson } from './features/user.ts';
export type { ServerUserUpdateOptions, UserUpdateOptions } from './features/user-update.ts';
export { internals } from './internals-symbol.ts';
export type { Caught } from './known-errors.ts';
export type {
  AdminAppOptions,
  ClientAppOptions,
  RedirectMethod,
  RequestLike,
  ServerAppOptions,
  TokenStoreInit,
  Tokens,
} from './options.ts';
export type { Failed, Ok, Result } from './result.ts';
export type { Session } from './session/session.ts';
export { RequestError, type RequestFailure } from './transport/request-error.ts';
export type { HandlerUrls } from './urls.ts';
