import type { RequestLike } from '../../app/config/options.ts';
import type { Context } from '../../app/context.ts';
import type { AccessTokenClaims } from '../../authentication/access-token.ts';
import { once } from '../../util/once.ts';

/** How `authenticate` checks a request. */
export interface AuthenticateOptions {
  /**
   * An access token that is valid for less time is refreshed, where the request has a refresh token. While the server
   * cannot be reached, it is accepted until it expires. Default 0, below 60000.
   */
  readonly minLifeMs?: number | undefined;
  /**
   * When the end of a session is noticed. `token-expiry`: when its access token expires, at most 10 minutes later.
   * `feed`: within a second, from a feed of ended sessions that the server sends to this app.
   */
  readonly revocation?: 'token-expiry' | 'feed' | undefined;
}

/**
 * Why a request has no signed-in user.
 *
 * - `no-token`: the request has no tokens.
 * - `invalid-token`: the access token is malformed, of another project, or has no valid signature.
 * - `token-expired`: the access token has expired, and the request has no refresh token. Also when the clock of this server
 *   is ahead by the lifetime of a token, because a refreshed token has then expired already.
 * - `session-ended`: the session has ended, by sign-out for example.
 */
export type SignedOutReason = 'no-token' | 'invalid-token' | 'token-expired' | 'session-ended';

/** A request with a signed-in user. */
export interface SignedIn<User> {
  /** The request has a signed-in user. */
  readonly status: 'signed-in';
  /** Id of the user. */
  readonly userId: string;
  /** Id of the session. */
  readonly sessionId: string;
  /** The claims of the access token. */
  readonly claims: AccessTokenClaims;
  /** `Set-Cookie` values for the response: new tokens after a refresh of tokens from cookies, else none. */
  readonly setCookie: readonly string[];
  /** An access token for calls to other services, valid for `minLifeMs` (default 0); null when the session has ended. */
  getToken(options?: { readonly minLifeMs?: number | undefined }): Promise<string | null>;
  /** Reads the user from the server; null when the session has ended or the user was deleted. */
  getUser(): Promise<User | null>;
}

/** A request without a signed-in user. */
export interface SignedOut {
  /** The request has no signed-in user. */
  readonly status: 'signed-out';
  /** Why the request has no signed-in user. */
  readonly reason: SignedOutReason;
  /** `Set-Cookie` values for the response: they delete the cookies of a session that has ended. */
  readonly setCookie: readonly string[];
}

/** The result of `authenticate`. */
export type Authentication<User> = SignedIn<User> | SignedOut;

/** Authentication of requests. */
export interface AuthenticationMethods<User> {
  /**
   * Finds the signed-in user of a request without a request to the server: the access token is verified with the cached
   * public keys of the project. The tokens come from the header `x-stack-auth`, from `Authorization: Bearer`, or from
   * cookies. An expired token is refreshed where the request has a refresh token.
   *
   * @throws RequestError when the server cannot be reached, and an expired token, the public keys or the feed need it.
   * @example
   * const auth = await app.authenticate(request);
   * if (auth.status === 'signed-out') return new Response('Please sign in.', { status: 401 });
   * return Response.json({ userId: auth.userId });
   */
  authenticate(request: RequestLike, options?: AuthenticateOptions): Promise<Authentication<User>>;
}

export function authentication<User>(
  ctx: Context<'client'>,
  getUser: (options: { readonly tokenStore: RequestLike }) => Promise<User | null>,
): { methods: AuthenticationMethods<User> } {
  const load = once(async () => {
    const { createAuthenticate } = await import('../../authentication/authenticate.ts');
    return createAuthenticate<User>(ctx, tokenStore => getUser({ tokenStore }));
  });
  return {
    methods: { authenticate: async (request, options) => (await load())(request, options) },
  };
}
