import { isNetworkFailure, networkError } from '../transport/network-error.ts';
import { once } from '../util/once.ts';
import type { Refresh, RefreshDeps } from './refresh.ts';

/**
 * Loads the code of the refresh at the first refresh. Most page loads find a valid access token and need none.
 *
 * @throws RequestError also when the chunk cannot be loaded: the session stays, and the next use retries.
 */
export function lazyRefresh(deps: RefreshDeps): Refresh {
  const load = once(async () => (await import('./refresh.ts')).createRefresh(deps));

  async function loadOrFail(): Promise<Refresh> {
    try {
      return await load();
    } catch (failure) {
      throw isNetworkFailure(failure) ? await networkError([failure], deps.config, deps.platform) : failure;
    }
  }

  return async (own, store, acceptTokens) => (await loadOrFail())(own, store, acceptTokens);
}
