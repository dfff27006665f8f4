import { openStorage } from '../../storage/browser-storage.ts';

/** A sign-in method: the id of a provider, or one of ours. */
export type SignInMethod = 'password' | 'magic-link' | 'passkey' | (string & {});

/**
 * A key of the contract (docs/contract/handler-pages.md#sign-in-and-sign-up). It stays in this browser after sign-out.
 */
const lastUsed = openStorage('local', '_STACK_AUTH.lastUsed');

/** Stores the sign-in method for the next visit. */
export function rememberMethod(method: SignInMethod): void {
  lastUsed.write(method);
}

/** The sign-in method that was last used in this browser. */
export function lastUsedMethod(): SignInMethod | undefined {
  return lastUsed.read();
}
