import { openStorage } from '../storage/browser-storage.ts';

/** A sign-in method: the id of a provider, or one of ours. */
export type SignInMethod = 'password' | 'magic-link' | 'passkey' | (string & {});

/**
 * A key of the contract (docs/contract/handler-pages.md#sign-in-and-sign-up). It stays in this browser after sign-out.
 */
const lastUsed = openStorage('local', '_STACK_AUTH.lastUsed');

/** The provider whose sign-in page this tab was sent to. */
const visited = openStorage('session', 'tessera.visited-provider');

/** The sign-in method that was last used in this browser. */
export function lastUsedMethod(): SignInMethod | undefined {
  return lastUsed.read();
}

/**
 * Signs in, and stores the method for the next visit when that succeeds. The client leaves the page at a success, so the
 * method is written before, and a failure restores the earlier one.
 */
export async function signInBy<Result extends { readonly status: 'ok' | 'error' }>(
  method: SignInMethod,
  signIn: () => Promise<Result>,
): Promise<Result> {
  const restore = writeMethod(method);
  try {
    const result = await signIn();
    if (result.status === 'error') restore();
    return result;
  } catch (error) {
    restore();
    throw error;
  }
}

/** Notes the provider that the visitor is sent to. */
export function noteProvider(provider: string): void {
  visited.write(provider);
}

/** Completes the sign-in with the noted provider, and stores that as the method when it succeeds. */
export async function completeProvider(complete: () => Promise<boolean>): Promise<boolean> {
  const provider = visited.read();
  visited.clear();
  if (provider === undefined) return complete();

  const outcome = async () => ({ status: (await complete()) ? ('ok' as const) : ('error' as const) });
  return (await signInBy(provider, outcome)).status === 'ok';
}

/** Returns a function that restores the earlier method. */
function writeMethod(method: SignInMethod): () => void {
  const earlier = lastUsed.read();
  lastUsed.write(method);
  return () => (earlier === undefined ? lastUsed.clear() : lastUsed.write(earlier));
}
