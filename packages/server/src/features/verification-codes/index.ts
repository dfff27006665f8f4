export { deleteInvitations, recordAcceptance } from './invitation-store.ts';
export type { PendingLink } from './kinds.ts';
export { linkWithCode } from './rules.ts';
export { deleteCode, deleteCodesExcept, hasCode } from './store.ts';
export {
  type CheckedCode,
  type CodeRequest,
  checkCode,
  createCode,
  endCodes,
  type MadeCode,
  type PresentedCode,
  redeemCode,
} from './verification-codes.ts';
