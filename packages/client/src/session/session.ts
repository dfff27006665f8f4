import { accessTokenMaxAskedMs } from '@tessera/protocol/limits';
import { defect } from '../defect.ts';
import { createListeners } from '../listeners.ts';
import type { Tokens } from '../options.ts';
import { expiresAtMs, sessionKey } from './tokens.ts';

/** Tokens that can be sent. */
export interface LiveTokens extends Tokens {
  readonly accessToken: string;
}

/** What a session needs: the time, and a way to a new access token (null: the session has ended). */
export interface SessionMeans {
  readonly now: () => number;
  readonly refresh: (refreshToken: string, lastAccessToken: string | null) => Promise<string | null>;
}

/** One session of one user, for ever; only its access token changes, until it becomes invalid. */
export class Session {
  readonly #key: string;
  readonly #refreshToken: string | null;
  readonly #means: SessionMeans;
  readonly #changes = createListeners();
  readonly #ends = createListeners();
  #accessToken: string | null;
  #lastAccessToken: string | null;
  #isInvalid: boolean;
  #refreshing: Promise<string | null> | undefined;

  constructor(tokens: Tokens, means: SessionMeans) {
    for (const token of [tokens.accessToken, tokens.refreshToken]) {
      if (token === 'undefined') throw defect('A token is the text "undefined".');
    }
    this.#key = sessionKey(tokens);
    this.#means = means;
    this.#refreshToken = tokens.refreshToken;
    this.#accessToken = tokens.accessToken;
    this.#lastAccessToken = tokens.accessToken;
    this.#isInvalid = tokens.accessToken === null && tokens.refreshToken === null;
  }

  /** The same for the same session, different for any other. Holds a token, so it is not shown with the object. */
  get key(): string {
    return this.#key;
  }

  /** Whether the session is known to have ended, or never was one. */
  get isKnownInvalid(): boolean {
    return this.#isInvalid;
  }

  /** The tokens as they are; an access token may have expired. */
  get tokens(): Tokens {
    return { accessToken: this.#accessToken, refreshToken: this.#isInvalid ? null : this.#refreshToken };
  }

  /**
   * Tokens that live for at least `minLifeMs` (below 60000), refreshed if need be; null when the session has ended.
   *
   * @throws when the refresh got no answer. The session goes on.
   */
  async getLikelyValidTokens(minLifeMs: number): Promise<LiveTokens | null> {
    if (minLifeMs >= accessTokenMaxAskedMs) {
      throw new RangeError(
        `A token cannot be asked to live ${minLifeMs} ms; it must be below ${accessTokenMaxAskedMs}.`,
      );
    }
    const current = this.#accessToken;
    if (current !== null && this.#lifeOf(current) >= minLifeMs) return this.#with(current);
    const fresh = await this.fetchNewTokens();
    if (fresh !== null && this.#lifeOf(fresh.accessToken) < minLifeMs) {
      throw defect(`A fresh access token lives shorter than ${minLifeMs} ms.`);
    }
    return fresh;
  }

  /** Always refreshes, sharing a refresh that is on its way; null when the session has ended. */
  async fetchNewTokens(): Promise<LiveTokens | null> {
    if (this.#isInvalid || this.#refreshToken === null) return null;
    this.#refreshing ??= this.#refresh(this.#refreshToken);
    const accessToken = await this.#refreshing;
    return accessToken === null ? null : this.#with(accessToken);
  }

  /** A newer access token of this session was found, e.g. written by another tab. */
  adopt(accessToken: string): void {
    if (this.#isInvalid || accessToken === this.#lastAccessToken) return;
    if (expiresAtMs(accessToken) <= expiresAtMs(this.#lastAccessToken ?? '')) return;
    this.#accessToken = accessToken;
    this.#lastAccessToken = accessToken;
  }

  /** The server rejected this access token: the next use refreshes, unless there is another one already. */
  markAccessTokenExpired(accessToken: string): void {
    if (this.#accessToken === accessToken) this.#accessToken = null;
  }

  /** Ends the session on this side. A refresh on its way changes nothing any more. */
  markInvalid(): void {
    if (this.#isInvalid) return;
    this.#isInvalid = true;
    this.#accessToken = null;
    this.#refreshing = undefined;
    this.#changes.notify();
    this.#ends.notify();
  }

  /** Calls the listener when the tokens have changed. @returns the undo. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  /** Calls the listener when the session has ended. @returns the undo. */
  onEnd(listener: () => void): () => void {
    return this.#ends.add(listener);
  }

  #with(accessToken: string): LiveTokens {
    return { accessToken, refreshToken: this.#refreshToken };
  }

  #lifeOf(accessToken: string): number {
    return expiresAtMs(accessToken) - this.#means.now();
  }

  #refresh(refreshToken: string): Promise<string | null> {
    const refreshing: Promise<string | null> = this.#means
      .refresh(refreshToken, this.#lastAccessToken)
      .then(accessToken => (this.#refreshing === refreshing ? this.#settle(accessToken) : this.#accessToken))
      .finally(() => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      });
    return refreshing;
  }

  #settle(accessToken: string | null): string | null {
    if (accessToken === null) {
      this.markInvalid();
      return null;
    }
    this.#accessToken = accessToken;
    this.#lastAccessToken = accessToken;
    this.#changes.notify();
    return accessToken;
  }
}
