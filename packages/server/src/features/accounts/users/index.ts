export { assertStrongPassword } from '../credentials/password-policy.ts';
export {
  assertFreshSession,
  assertNotImpersonated,
  assertRecentOwner,
  assertRecentSignIn,
  assertSessionMayReauthenticate,
  holdCaller,
  holdCallerSession,
  isRecentOwner,
  needsReauthentication,
  type SensitiveCaller,
} from '../credentials/reauthentication.ts';
export { removeUser, totpSecretPurpose, type UserChangeDeps, updateUser } from './changes.ts';
export { applyUserChanges, holdMembership } from './changes-store.ts';
export { type CreateUser, createUserCreation, type OnUserCreated, type UserCreation } from './creation.ts';
export {
  enableOtp,
  resetFirstFactors,
  resetSecondFactor,
  setPasswordHash,
  spendTotpStep,
} from './factors/factors-store.ts';
export { replaceRecoveryCodes, selectRecoveryCodes, spendRecoveryCode } from './factors/recovery-codes-store.ts';
export { selectEmailCode } from './listing/email-code-store.ts';
export { listUsers, searchWords } from './listing/listing.ts';
export {
  type FilteredListing,
  type FilteredUser,
  selectFilteredUsers,
  type UserConditions,
} from './listing/listing-store.ts';
export {
  type AnyAccountNotice,
  countNotice,
  type NoticeCause,
  newPasswordNotice,
  sendAccountNotice,
} from './notices.ts';
export { findOwnerRole, findOwnerRoles } from './owner-role.ts';
export { assertMayAddChannel, normalizedEmail } from './primary-email/rules.ts';
export { lockUser, type Suspension, selectSuspension, type UserId, updateSuspension } from './row/index.ts';
export {
  isMember,
  refreshSearch,
  selectCallUsers,
  selectCredential,
  selectUser,
  selectUsersById,
} from './store.ts';
export { clientTeam, serverTeam, serverUser } from './wire.ts';
