export { type ActivityWriter, createActivityWriter } from './activity.ts';
export {
  createSessionFinder,
  type FindSession,
  openSession,
  placeOf,
  type SessionTerms,
  sessionTermsOf,
  type Tokens,
  tryOpenSession,
} from './open-session.ts';
export { type Refreshed, refreshSession } from './refresh.ts';
export { assertScope, isPrintable, projectOfClient, wholeLifetime } from './rules.ts';
export {
  copyAuthenticationTime,
  deleteSession,
  deleteSessions,
  type FoundSession,
  holdOpenSession,
  recordReauthentication,
  selectAuthenticationTime,
} from './store.ts';
