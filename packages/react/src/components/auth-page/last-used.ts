import { openStorage } from '../../storage/browser-storage.ts';

/** A way to sign in: a provider's id, or one of ours. */
export type SignInMethod = 'password' | 'magic-link' | 'passkey' | (string & {});

/**
 * Documented name (docs/contract/handler-pages.md#sign-in-and-sign-up). Stays in this browser, and after signing out.
 */
const lastUsed = openStorage('local', '_STACK_AUTH.lastUsed');

/** Keeps how somebody signs in, for the next time. */
export function rememberMethod(method: SignInMethod): void {
  lastUsed.write(method);
}

/** How somebody last signed in with this browser. */
export function lastUsedMethod(): SignInMethod | undefined {
  return lastUsed.read();
}
