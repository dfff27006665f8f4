export { createAccountOpening, type OpenAccount } from './accounts.ts';
export { auditedSignIn, type Learn, recordFailedSignIn } from './attempts.ts';
export { type FirstFactorPassed, finishSignIn, type SignedIn, sessionOrAttempt, startSession } from './finish.ts';
