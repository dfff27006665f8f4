import { apiPath } from '@tessera/protocol/limits';
import type { PublicKeys } from './public-keys.ts';
import { accessTokenMaxLength, openSigned } from './signed-text.ts';

/** The claims of an access token (docs/contract/tokens-and-sessions.md#access-token). */
export interface AccessTokenClaims {
  /** URL of the project: `{server}/api/v1/projects/{project id}`. */
  readonly iss: string;
  /** Id of the project. */
  readonly aud: string;
  /** Id of the user. */
  readonly sub: string;
  /** Time of issue, in seconds since 1970. */
  readonly iat: number;
  /** Time of expiry, in seconds since 1970. */
  readonly exp: number;
  /** Id of the session. */
  readonly refreshTokenId: string;
  /** Further claims. */
  readonly [claim: string]: unknown;
}

/** What a check of an access token found. */
export type Verdict =
  | { readonly status: 'valid'; readonly claims: AccessTokenClaims }
  | { readonly status: 'expired' | 'invalid' };

/** Checks access tokens of one project. */
export type VerifyAccessToken = (token: string) => Promise<Verdict>;

interface VerifierDeps {
  readonly keys: PublicKeys;
  readonly projectId: string;
  readonly now: () => number;
}

interface Verified {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
}

const maxVerified = 10_000;
const invalid: Verdict = { status: 'invalid' };

/**
 * Creates the check of access tokens. A signature is verified once for each token; the expiry and the key are checked
 * at every call, so a token of a removed key is refused. Controls 29, 31.
 */
export function createVerifier({ keys, projectId, now }: VerifierDeps): VerifyAccessToken {
  const verified = new Map<string, Verified>();

  async function verifyAnew(token: string): Promise<Verified | undefined> {
    const payload = await openSigned(token, keys);
    if (!isClaims(payload, projectId)) return undefined;
    const entry = { claims: Object.freeze(payload), kid: kidOf(token) };
    verified.set(token, entry);
    const oldest = verified.keys().next();
    if (verified.size > maxVerified && !oldest.done) verified.delete(oldest.value);
    return entry;
  }

  return async token => {
    if (token.length > accessTokenMaxLength) return invalid;
    const known = verified.get(token);
    const entry = known ?? (await verifyAnew(token));
    if (entry === undefined || (known !== undefined && (await keys.find(known.kid)) === undefined)) return invalid;
    return verdictOf(entry.claims, now());
  };
}

/** No clock tolerance, as on the server. */
function verdictOf(claims: AccessTokenClaims, nowMs: number): Verdict {
  if (typeof claims.nbf === 'number' && claims.nbf * 1000 > nowMs) return invalid;
  return claims.exp * 1000 <= nowMs ? { status: 'expired' } : { status: 'valid', claims };
}

/**
 * Whether these are claims of this project. The issuer is compared by its path: the server that this app talks to may
 * have another public URL, and the keys belong to the project alone.
 */
function isClaims(payload: unknown, projectId: string): payload is AccessTokenClaims {
  if (typeof payload !== 'object' || payload === null) return false;
  const { iss, aud, sub, exp, iat, refreshTokenId } = payload as Record<string, unknown>;
  const areTexts = [iss, sub, refreshTokenId].every(text => typeof text === 'string' && text !== '');
  return (
    areTexts &&
    typeof exp === 'number' &&
    typeof iat === 'number' &&
    aud === projectId &&
    String(iss).endsWith(`${apiPath}/projects/${projectId}`)
  );
}

/** The header of a verified token is JSON. */
function kidOf(token: string): string {
  const [header = ''] = token.split('.');
  return JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))).kid;
}
