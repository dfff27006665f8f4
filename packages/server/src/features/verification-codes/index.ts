export { deleteInvitations, deleteSentInvitations, recordAcceptance } from './invitation-store.ts';
export type { PendingLink } from './kinds.ts';
export { linkWithCode } from './rules.ts';
export {
  deleteAttempt,
  deleteAttempts,
  deleteCode,
  deleteCodesExcept,
  hasCode,
  recordAttemptSession,
} from './store.ts';
export {
  type CheckedCode,
  type CodeRequest,
  checkCode,
  createCode,
  type MadeCode,
  type PresentedCode,
  redeemCode,
  spendCode,
} from './verification-codes.ts';
