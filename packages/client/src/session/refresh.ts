import type { KnownError } from '@tessera/protocol/errors';
import { accessTokenLeftForRequestMs } from '@tessera/protocol/limits';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { loadErrors } from '../known-errors.ts';
import type { Platform } from '../platform/platform.ts';
import { judge, knownErrorOf } from '../transport/answer.ts';
import { fetchMode } from '../transport/fetch-mode.ts';
import { isNetworkFailure, networkError } from '../transport/network-error.ts';
import { type Attempt, withRetries } from '../transport/retry.ts';
import type { TokenStore } from './stores/store.ts';
import { expiresAtMs } from './tokens.ts';

interface RefreshMeans {
  readonly config: Config;
  readonly platform: Platform;
  readonly clock: Clock;
}

/**
 * Gets a new access token, one request at a time among all tabs that share the store: whoever waited takes what the
 * other one got. Null when the server says that the session has ended; only it can say so.
 *
 * @throws when there was no usable answer.
 */
export function createRefresh({ config, platform, clock }: RefreshMeans) {
  return async (refreshToken: string, store: TokenStore, lastAccessToken: string | null): Promise<string | null> => {
    if (config.projectOwnerSession) throw new Error('An app with projectOwnerSession cannot refresh user sessions.');

    // Locked for one attempt, not for the pauses between them: nobody waits for a tab that is waiting itself.
    const attempt = () => store.exclusive(async () => foundInStore() ?? (await request()));

    function foundInStore(): Attempt<string> | undefined {
      const found = store.get();
      if (found.refreshToken !== refreshToken || found.accessToken === null) return undefined;
      const isFresh = expiresAtMs(found.accessToken) - clock.now() >= accessTokenLeftForRequestMs;
      return isFresh && found.accessToken !== lastAccessToken ? { done: found.accessToken } : undefined;
    }

    /** Stored before the lock is given back, so that whoever comes next finds it. */
    function keep(accessToken: string): string {
      if (store.get().refreshToken === refreshToken) store.set({ accessToken, refreshToken });
      return accessToken;
    }

    async function request(): Promise<Attempt<string | null>> {
      let response: Response;
      try {
        response = await platform.fetch(`${config.apiUrl}/auth/oauth/token`, formOf(refreshToken, config));
      } catch (failure) {
        if (!isNetworkFailure(failure)) throw failure;
        return { failure };
      }
      clock.learn(response);
      const known = await knownErrorOf(response);
      if (known) return afterKnownError(known);
      const judged = await judge(response, clock.now());
      return 'done' in judged ? { done: keep((await judged.done.json()).access_token) } : judged;
    }

    return withRetries<string | null>(attempt, platform, failures => networkError(failures, config, platform));
  };
}

async function afterKnownError(known: KnownError): Promise<Attempt<null>> {
  const { isKnown } = await loadErrors();
  if (isKnown(known, 'REFRESH_TOKEN_ERROR')) return { done: null };
  throw known;
}

/** The token endpoint is OAuth's: a form, with the client's credentials in it and none of our headers. */
function formOf(refreshToken: string, { projectId, publishableClientKey }: Config): RequestInit {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: projectId,
    client_secret: publishableClientKey ?? '',
  });
  return { ...fetchMode(), method: 'POST', body: form };
}
