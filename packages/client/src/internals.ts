/**
 * The entry point for `@tessera/react` and the dashboard, not for other apps: its names may change in any version.
 *
 * An app and every object that it returns keep what React needs under the symbol {@link internals}:
 *
 * ```ts
 * app[internals].user({ tokenStore })            // Reader<CurrentUser | null>, follows sign-in and sign-out
 * app[internals].reads.getProject.reader()       // Reader<Project>; one entry per read, by the name of its method
 * app[internals].redirectMethod                  // as given, for useNavigate
 * app[internals].signUpAnonymously()             // for useUser({ or: 'anonymous' })
 * renderingApp(app)                              // a copy for one response of a server
 * toClientJson(app), fromClientJson(json)         // an app as plain data, for rendering on a server
 * ownSignIns(projectId)                          // tells a sign-in of this page from one in another tab
 * user[internals].reads                          // the same for objects: listTeams, listContactChannels, …
 * ```
 *
 * A hook is `useSyncExternalStore(reader.subscribe, reader.peek)`; while that is undefined it suspends on
 * `reader.promise()` and peeks again. {@link extendEntities} adds members to objects, e.g. hooks; the
 * interfaces whose names end with `Reads` say which there are.
 */
export { hasCode, isKnownError } from '@tessera/protocol/error-code';
export type { ErrorCode } from '@tessera/protocol/errors';
export {
  emailMaxLength,
  impersonationReasonMaxLength,
  impersonationReasonMinLength,
  importBatchMax,
  importBatchMaxCharacters,
  messageUsersMax,
  metricHistoryDaysMax,
  newProjectFreshSignInMs,
  ownLimitMax,
  passkeyNameMaxLength,
  passwordMaxLength,
  passwordMinLength,
  profileImageMaxLength,
  sessionLifetimeMs,
  signUpEntriesMax,
  suspensionReasonMaxLength,
  typedCodeLength,
} from '@tessera/protocol/limits';
export { printableText } from '@tessera/protocol/printable-text';
export { decideTrust, hasWildcard } from '@tessera/protocol/trusted-domains';
export type {
  AdminAppInternals,
  AdminAppReads,
  EntityInternals,
  ServerAppReads,
} from './app/app-internals.ts';
export { internals } from './app/internals-symbol.ts';
export { fromClientJson, toClientJson } from './app/rendering/app-json.ts';
export { renderingApp } from './app/rendering/rendering-app.ts';
export type { Reader } from './cache/reader.ts';
export type { Read, Reads } from './cache/resource.ts';
export type { ConnectedAccountReads } from './features/account/connected-accounts.ts';
export type { CurrentUserReads } from './features/account/current-user/current-user.ts';
export { notSignedIn } from './features/account/current-user/not-signed-in.ts';
export type { AdminProjectReads } from './features/admin/project.ts';
export type { OwnedProjectReads } from './features/projects/owned-projects.ts';
export type { ProjectReads } from './features/projects/project.ts';
export type { ServerTeamReads } from './features/server/teams.ts';
export type { ServerUserReads } from './features/server/user.ts';
export type { TeamReads } from './features/teams/teams.ts';
export { returnParameter } from './navigation/urls.ts';
export { extendEntities } from './objects/entity.ts';
export { countOwnSignIn, ownSignIns } from './session/own-sign-ins.ts';
