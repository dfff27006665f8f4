import type { Platform } from '../platform/platform.ts';
import { RequestError } from './request-error.ts';

/**
 * What `fetch` throws when there is no connection, or no response before its signal times out; by name, because it may come
 * from another realm.
 */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && /^(Type|Timeout)Error$/.test(error.name);
}

/**
 * The error to throw after the last attempt: the server's response when there was one, otherwise that the server cannot
 * be reached, with the reason when it is known.
 */
export async function networkError(
  failures: readonly unknown[],
  { apiUrl }: { readonly apiUrl: string },
  platform: Platform,
): Promise<unknown> {
  const last = failures.at(-1);
  if (!isNetworkFailure(last)) return last;
  // Without the chunk of the diagnostics, which an offline page cannot load.
  if (platform.isOnline() === false) {
    return new RequestError('offline', 'You are offline. Please try again.', { cause: last });
  }
  try {
    const { describe } = await import('./diagnostics.ts');
    return await describe(failures, { apiUrl, platform });
  } catch {
    // The chunk comes over the same connection.
    return new RequestError('unreachable', `The server at ${apiUrl} cannot be reached.`, { cause: last });
  }
}
