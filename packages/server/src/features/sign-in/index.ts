export { createAccountOpening, createUpgradeOnProof, type OpenAccount } from './accounts.ts';
export { auditedSignIn, type Learn, recordFailedSignIn } from './attempts.ts';
export { type CredentialRemoval, createCredentialRemoval, type OnAddressProved } from './credential-removal.ts';
export {
  type FinishSignInDeps,
  type FirstFactorPassed,
  openSessionOrAttempt,
  type SignedIn,
  startSession,
} from './finish.ts';
export { assertPasswordsEnabled } from './rules.ts';
export type { CompleteLink } from './second-factor/routes.ts';
export { selectAccount } from './store.ts';
