import { accessTokenLeftForRequestMs, accessTokenMaxAskedMs } from '@tessera/protocol/limits';
import { createListeners } from '../cache/listeners.ts';
import { defect } from '../errors/defect.ts';
import type { Tokens } from './tokens.ts';
import { expiresAtMs, idOf } from './tokens.ts';

/** Tokens that can be sent. */
export interface LiveTokens extends Tokens {
  readonly accessToken: string;
}

/** What a session can be refreshed with. */
export interface Refreshable {
  readonly refreshToken: string;
  /** The last one that there was, also when the server has rejected it. */
  readonly lastAccessToken: string | null;
  /** When the store last held the refresh token, in the server's time. */
  readonly seenAtMs: number;
}

/** Gives a session its new tokens before they are stored, so that a lookup by these tokens finds the session at once. */
export type AcceptTokens = (fresh: LiveTokens) => void;

/** What a session needs: the time, and a way to new tokens (null: the session has ended). */
export interface SessionDeps {
  readonly now: () => number;
  readonly refresh: (own: Refreshable, acceptTokens: AcceptTokens) => Promise<LiveTokens | null>;
}

/** One session of one user, for ever; only its tokens change, until it becomes invalid. Control 42. */
export class Session {
  readonly #deps: SessionDeps;
  readonly #changes = createListeners();
  readonly #ends = createListeners();
  #refreshToken: string | null;
  #accessToken: string | null;
  #lastAccessToken: string | null;
  #seenAtMs: number;
  #isInvalid: boolean;
  #refreshing: Promise<LiveTokens | null> | undefined;

  constructor(tokens: Tokens, deps: SessionDeps) {
    for (const token of [tokens.accessToken, tokens.refreshToken]) {
      if (token === 'undefined') throw defect('A token is the text "undefined".');
    }
    this.#deps = deps;
    this.#refreshToken = tokens.refreshToken;
    this.#accessToken = tokens.accessToken;
    this.#lastAccessToken = tokens.accessToken;
    this.#seenAtMs = deps.now();
    this.#isInvalid = tokens.accessToken === null && tokens.refreshToken === null;
  }

  /** Whether the session is known to have ended, or never was one. */
  get isKnownInvalid(): boolean {
    return this.#isInvalid;
  }

  /** The tokens as they are; an access token may have expired. */
  get tokens(): Tokens {
    return { accessToken: this.#accessToken, refreshToken: this.#isInvalid ? null : this.#refreshToken };
  }

  /** The user that the last access token names; undefined without one. */
  get userId(): string | undefined {
    return idOf('sub', this.#lastAccessToken);
  }

  /** Whether these are tokens of this session: by its refresh token, or where that has changed, by its id. */
  covers({ accessToken, refreshToken }: Tokens): boolean {
    if (refreshToken === null) return this.#refreshToken === null && accessToken === this.#lastAccessToken;
    if (refreshToken === this.#refreshToken) return true;
    const id = this.#refreshToken === null ? undefined : idOf('refreshTokenId', this.#lastAccessToken);
    return id !== undefined && id === idOf('refreshTokenId', accessToken);
  }

  /**
   * Tokens that live for at least `minLifeMs` (default 20000, below 60000), refreshed if need be; null when the session has ended.
   *
   * @throws when the refresh got no response. The session stays.
   */
  async getLikelyValidTokens(minLifeMs: number = accessTokenLeftForRequestMs): Promise<LiveTokens | null> {
    if (minLifeMs >= accessTokenMaxAskedMs) {
      throw new RangeError(`minLifeMs is ${minLifeMs}, but must be below ${accessTokenMaxAskedMs}.`);
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
    this.#refreshing ??= this.#refresh({
      refreshToken: this.#refreshToken,
      lastAccessToken: this.#lastAccessToken,
      seenAtMs: this.#seenAtMs,
    });
    return this.#refreshing;
  }

  /** The store holds these tokens of this session; they are newer where another tab has written them. */
  adopt({ accessToken, refreshToken }: Tokens): void {
    if (refreshToken === this.#refreshToken) this.#seenAtMs = this.#deps.now();
    if (this.#isInvalid || accessToken === null || accessToken === this.#lastAccessToken) return;
    if (expiresAtMs(accessToken) < expiresAtMs(this.#lastAccessToken ?? '')) return;
    this.#accessToken = accessToken;
    this.#lastAccessToken = accessToken;
    this.#refreshToken = refreshToken;
    this.#seenAtMs = this.#deps.now();
  }

  /** The server rejected this access token: the next use refreshes, unless there is another one already. */
  markAccessTokenExpired(accessToken: string): void {
    if (this.#accessToken === accessToken) this.#accessToken = null;
  }

  /** Marks the session as ended in this process. A refresh that is still running has no effect. */
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
    return expiresAtMs(accessToken) - this.#deps.now();
  }

  #refresh(own: Refreshable): Promise<LiveTokens | null> {
    const refreshing: Promise<LiveTokens | null> = this.#deps
      .refresh(own, fresh => {
        if (this.#refreshing === refreshing) this.adopt(fresh);
      })
      .then(fresh => {
        if (this.#refreshing === refreshing) return this.#settle(fresh);
        return this.#accessToken === null ? null : this.#with(this.#accessToken);
      })
      .finally(() => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      });
    return refreshing;
  }

  #settle(fresh: LiveTokens | null): LiveTokens | null {
    if (fresh === null) {
      this.markInvalid();
      return null;
    }
    this.#accessToken = fresh.accessToken;
    this.#lastAccessToken = fresh.accessToken;
    this.#refreshToken = fresh.refreshToken;
    this.#seenAtMs = this.#deps.now();
    this.#changes.notify();
    return fresh;
  }
}
