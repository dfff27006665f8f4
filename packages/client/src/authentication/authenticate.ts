import { authJsonHeader } from '@tessera/protocol/headers';
import type { RequestLike } from '../app/config/options.ts';
import type { Context } from '../app/context.ts';
import type { AuthenticateOptions, Authentication, SignedOutReason } from '../features/server/authentication.ts';
import type { Session } from '../session/session.ts';
import type { Tokens } from '../session/tokens.ts';
import { RequestError } from '../transport/request-error.ts';
import { once } from '../util/once.ts';
import { type AccessTokenClaims, createVerifier, type Verdict, type VerifyAccessToken } from './access-token.ts';
import { createPublicKeys } from './public-keys.ts';
import { type Credentials, cookiesFor, credentialsOf } from './request-credentials.ts';
import { createRevocationFeed, type RevocationFeed } from './revocation-feed.ts';

/** Reads the user of a request. */
type GetUserOf<User> = (tokenStore: RequestLike) => Promise<User | null>;

/** The credentials of one request. */
interface Presented {
  readonly request: RequestLike;
  readonly credentials: Credentials;
  /** A token store with these credentials. */
  readonly source: RequestLike;
  /** Their session, the same at every call. Most requests need none. */
  readonly session: () => Promise<Session>;
}

/** The claims of a valid token, and the new tokens when it was refreshed. */
interface Accepted {
  readonly claims: AccessTokenClaims;
  readonly fresh?: Tokens;
}

/** Creates `authenticate`. A lazy chunk, because browsers never authenticate requests. */
export function createAuthenticate<User>(ctx: Context<'client'>, getUser: GetUserOf<User>) {
  const { config, platform, sessions } = ctx;
  const { apiUrl, projectId, jwks: pinned } = config;
  const keys = createPublicKeys({ apiUrl, projectId, platform, pinned });
  const verify = createVerifier({ keys, projectId, now: platform.now });
  let openFeed: RevocationFeed | undefined;
  const feed = () => {
    openFeed ??= createRevocationFeed(ctx.at('server'), keys);
    return openFeed;
  };

  function presentedBy(request: RequestLike, credentials: Credentials): Presented {
    const source = credentials.from === 'authorization' ? authJsonOf(credentials) : request;
    return { request, credentials, source, session: once(() => sessions.of(source)) };
  }

  function signedOut(reason: SignedOutReason, presented?: Presented): Authentication<User> {
    const hasEnded = reason === 'session-ended' && presented?.credentials.from === 'cookie';
    const setCookie = hasEnded ? cookiesFor(presented.request, config, null) : [];
    return Object.freeze({ status: 'signed-out', reason, setCookie });
  }

  function signedIn({ claims, fresh }: Accepted, presented: Presented): Authentication<User> {
    const { request, credentials, session, source } = presented;
    const isWritten = fresh !== undefined && credentials.from === 'cookie';
    return Object.freeze({
      status: 'signed-in',
      userId: claims.sub,
      sessionId: claims.refreshTokenId,
      claims,
      setCookie: isWritten ? cookiesFor(request, config, fresh) : [],
      async getToken(options: { readonly minLifeMs?: number } = {}) {
        const tokens = await (await session()).getLikelyValidTokens(options.minLifeMs ?? 0);
        return tokens?.accessToken ?? null;
      },
      getUser: () => getUser(source),
    });
  }

  return async (
    request: RequestLike,
    { minLifeMs = 0, revocation = 'token-expiry' }: AuthenticateOptions = {},
  ): Promise<Authentication<User>> => {
    const credentials = credentialsOf(request, projectId);
    if (credentials === 'malformed') return signedOut('invalid-token');
    const { accessToken, refreshToken } = credentials.tokens;
    if (accessToken === null && refreshToken === null) return signedOut('no-token');
    const presented = presentedBy(request, credentials);
    const accepted = await accept(presented, { verify, minLifeMs, now: platform.now });
    if (typeof accepted === 'string') return signedOut(accepted, presented);
    if (revocation === 'feed' && (await feed().hasEnded(accepted.claims.refreshTokenId))) {
      return signedOut('session-ended', presented);
    }
    return signedIn(accepted, presented);
  };
}

interface Acceptance {
  readonly verify: VerifyAccessToken;
  readonly minLifeMs: number;
  readonly now: () => number;
}

/**
 * Checks the access token of a request. One that is not good enough is refreshed, where there is a refresh token. A
 * valid one is accepted when its refresh gets no response.
 */
async function accept(
  { credentials: { tokens }, session }: Presented,
  { verify, minLifeMs, now }: Acceptance,
): Promise<Accepted | Exclude<SignedOutReason, 'no-token'>> {
  const verdict: Verdict = tokens.accessToken === null ? { status: 'expired' } : await verify(tokens.accessToken);
  const valid = verdict.status === 'valid' ? { claims: verdict.claims } : undefined;
  if (tokens.refreshToken === null) return valid ?? (verdict.status === 'invalid' ? 'invalid-token' : 'token-expired');
  if (valid && valid.claims.exp * 1000 - now() >= minLifeMs) return valid;
  try {
    const fresh = await (await session()).fetchNewTokens();
    if (fresh === null) return 'session-ended';
    const renewed = await verify(fresh.accessToken);
    if (renewed.status === 'valid') return { claims: renewed.claims, fresh };
    return renewed.status === 'invalid' ? 'invalid-token' : 'token-expired';
  } catch (error) {
    if (valid && error instanceof RequestError) return valid;
    throw error;
  }
}

function authJsonOf({ tokens }: Credentials): RequestLike {
  return { headers: { [authJsonHeader]: JSON.stringify(tokens) } };
}
