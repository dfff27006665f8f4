export { type ActivityWriter, createActivityWriter } from './activity/activity.ts';
export { placeOf } from './activity/caller-place.ts';
export {
  copyAuthenticationTime,
  recordReauthentication,
} from './authentication-time-store.ts';
export { mayContinue, type ReaderAccessDeps } from './ended-sessions/access.ts';
export {
  createSessionFinder,
  type FindSession,
  openSession,
  type SessionTerms,
  sessionTermsOf,
  type Tokens,
  tryOpenSession,
} from './open-session.ts';
export { holdOpener } from './opener.ts';
export { deleteOpenedSessions, holdAccess, holdOwnerSession } from './opener-store.ts';
export { findSessionWithOverlap, type Refreshed, refreshSession } from './refresh/refresh.ts';
export { assertScope, isPrintable, projectOfClient, remainingLifetime, wholeLifetime } from './rules.ts';
export {
  deleteOtherSessions,
  deleteSession,
  deleteSessions,
  type FoundSession,
  holdOpenSession,
} from './store.ts';
