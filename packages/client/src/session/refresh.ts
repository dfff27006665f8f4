import type { Config } from '../app/config/config.ts';
import type { Platform } from '../platform/platform.ts';
import { isSuccess, jsonOf } from '../transport/answer.ts';
import { fetchMode } from '../transport/fetch-mode.ts';
import { isNetworkFailure, networkError } from '../transport/network-error.ts';
import { type Attempt, withRetries } from '../transport/retry.ts';
import type { Clock } from '../util/clock.ts';
import { isSameSession, planRefresh, wasOvertaken } from './refresh-plan.ts';
import type { AcceptTokens, LiveTokens, Refreshable } from './session.ts';
import type { TokenStore } from './stores/store.ts';

/** All requests of a session wait for its refresh, in every tab, so it fails when the server never answers. */
const requestTimeoutMs = 10_000;

/** What a refresh needs of the app. */
export interface RefreshDeps {
  readonly config: Config;
  readonly platform: Platform;
  readonly clock: Clock;
}

/** Gets new tokens for a session of a store; null when the session has ended. */
export type Refresh = (own: Refreshable, store: TokenStore, acceptTokens: AcceptTokens) => Promise<LiveTokens | null>;

/** Null: the server says that the session has ended. */
type Refreshed = Attempt<LiveTokens | null>;

/**
 * Gets new tokens, one request at a time among all tabs that share the store. A waiting tab takes the tokens that
 * another tab got. Null when the server says that the session has ended. No other failure ends it. Control 40.
 *
 * @throws when there is no usable response.
 */
export function createRefresh({ config, platform, clock }: RefreshDeps): Refresh {
  return async (own, store, acceptTokens) => {
    if (config.projectOwnerSession) throw new Error('An owner session cannot refresh user sessions.');

    // Locked for one attempt, not for the pauses between attempts: a tab that waits never holds the lock.
    const attempt = () => store.exclusive(attemptAlone);

    async function attemptAlone(): Promise<Refreshed> {
      const plan = planRefresh(own, store.get(), clock.now());
      if (plan === 'replaced') throw new Error('The session was replaced. Please try again.');
      if ('take' in plan) return { done: plan.take };
      if ('send' in plan) return requestAndKeep(plan.send);
      const outcome = await requestAndKeep(plan.learn);
      if (!('done' in outcome)) return outcome;
      return isSameSession(own, outcome.done?.accessToken ?? null) ? outcome : requestAndKeep(own.refreshToken);
    }

    /** Stores the tokens before the lock is released, so that the next tab finds them. */
    async function requestAndKeep(refreshToken: string): Promise<Refreshed> {
      const refreshed = await request(refreshToken);
      const fresh = 'done' in refreshed ? refreshed.done : null;
      if (fresh === null) return refreshed;
      // This tab was suspended while it waited; another tab has refreshed since.
      if (wasOvertaken(own, refreshToken, store.get())) return attemptAlone();
      if (refreshToken === own.refreshToken || isSameSession(own, fresh.accessToken)) acceptTokens(fresh);
      if (store.get().refreshToken === refreshToken) store.set(fresh);
      return refreshed;
    }

    async function request(refreshToken: string): Promise<Refreshed> {
      try {
        const response = await platform.fetch(`${config.apiUrl}/auth/oauth/token`, formOf(refreshToken, config));
        clock.learn(response);
        if (isSuccess(response)) return { done: tokensOf(await jsonOf(response), refreshToken) };
        const { failedRefresh } = await import('../transport/failed-response.ts');
        return await failedRefresh(response, clock.now());
      } catch (failure) {
        if (!isNetworkFailure(failure)) throw failure;
        return { failure };
      }
    }

    const giveUp = (failures: readonly unknown[]) => networkError(failures, config, platform);
    return withRetries<LiveTokens | null>(attempt, { platform, budgetMs: config.retryBudgetMs, giveUp });
  };
}

/** A project that rotates refresh tokens answers with the next one. */
function tokensOf(answer: { access_token: string; refresh_token?: string }, sent: string): LiveTokens {
  return { accessToken: answer.access_token, refreshToken: answer.refresh_token ?? sent };
}

/** The token endpoint is OAuth's: a form, with the client's credentials in it and none of our headers. */
function formOf(refreshToken: string, { projectId, publishableClientKey }: Config): RequestInit {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: projectId,
    client_secret: publishableClientKey ?? '',
  });
  return { ...fetchMode(), method: 'POST', body: form, signal: AbortSignal.timeout(requestTimeoutMs) };
}
