import type { Config } from '../app/config/config.ts';
import type { Platform } from '../platform/platform.ts';
import { RequestError } from './request-error.ts';

/** What `fetch` throws when there is no connection; by name, because it may come from another realm. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'TypeError';
}

/**
 * The error to throw after the last attempt: the server's response when there was one, otherwise that the server cannot
 * be reached, with the reason when it is known.
 */
export async function networkError(
  failures: readonly unknown[],
  { apiUrl }: Pick<Config, 'apiUrl'>,
  platform: Platform,
): Promise<unknown> {
  const last = failures.at(-1);
  if (!isNetworkFailure(last)) return last;
  const isOffline = platform.isOnline() === false;
  const reason = isOffline ? 'offline' : 'unreachable';
  try {
    const { describe } = await import('./diagnostics.ts');
    return await describe(failures, { apiUrl, platform, isOffline });
  } catch {
    // The chunk comes over the same connection.
    return new RequestError(reason, `The server at ${apiUrl} cannot be reached.`, { cause: last });
  }
}
