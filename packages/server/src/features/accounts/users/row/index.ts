export {
  findSessionUser,
  type LockedUser,
  lockUser,
  markOAuthAccounts,
  raiseLastActivity,
  recordSessionActivity,
  type Unchanged,
  type UserId,
  updateHasPasskey,
  updateServerMetadata,
} from './store.ts';
export { ownerIsSuspended, type Suspension, selectSuspension, updateSuspension } from './suspension-store.ts';
