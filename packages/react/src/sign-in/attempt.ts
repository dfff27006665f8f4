import { openStorage } from '../storage/browser-storage.ts';

/**
 * A key of the contract (docs/contract/client-runtime.md#other-sign-in-flows): a sign-in that waits for its second factor.
 */
export const storedAttempt = openStorage('session', 'stack_mfa_attempt_code');
