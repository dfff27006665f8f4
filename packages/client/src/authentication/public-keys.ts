import { publicKeysMaxAgeMs } from '@tessera/protocol/limits';
import type { CryptoKey, JWK } from 'jose';
import type { Platform } from '../platform/platform.ts';
import { isSuccess, jsonOf, statusOf } from '../transport/answer.ts';
import { isNetworkFailure, networkError } from '../transport/network-error.ts';
import { failureOf } from '../transport/response-failure.ts';
import { shareRequest } from './shared-request.ts';

/** A JSON Web Key Set (RFC 7517). */
export interface JsonWebKeySet {
  /** The keys, each with its id (`kid`). */
  readonly keys: readonly JWK[];
}

/** The public keys of a project. */
export interface PublicKeys {
  /**
   * The key with this id; undefined when the project does not have it.
   *
   * @throws RequestError when no key set is known and the server cannot be reached.
   */
  find(kid: string): Promise<CryptoKey | undefined>;
}

interface PublicKeysDeps {
  /** The URL of the API, with `/api/v1`. */
  readonly apiUrl: string;
  readonly projectId: string;
  readonly platform: Platform;
  /** Used without a request, as long as it has the key of a token. */
  readonly pinned: JsonWebKeySet | undefined;
}

interface Entry {
  readonly jwk: JWK;
  imported: Promise<CryptoKey> | undefined;
}

const requestTimeoutMs = 5_000;
/** Tokens with an unknown key id cause at most one request in this time. */
const unknownKeyPauseMs = 30_000;
const failurePauseMs = 1_000;

/**
 * The key set of a project, cached. The next key is published before it signs, so an unknown key id means a rotation
 * since the last request, or a forged token. While the server cannot be reached, the known keys stay in use. Control 31.
 */
export function createPublicKeys({ apiUrl, projectId, platform, pinned }: PublicKeysDeps): PublicKeys {
  let entries = entriesOf(pinned ?? { keys: [] });
  let staleAtMs = pinned === undefined ? 0 : Number.POSITIVE_INFINITY;
  let nextRequestAtMs = 0;
  let failure: unknown;

  async function request(): Promise<void> {
    const url = `${apiUrl}/projects/${encodeURIComponent(projectId)}/.well-known/jwks.json`;
    try {
      const response = await platform.fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) });
      if (!isSuccess(response)) {
        throw failureOf(response, { status: statusOf(response), sentence: await response.text() });
      }
      entries = entriesOf(await jsonOf<JsonWebKeySet>(response), entries);
      failure = undefined;
      staleAtMs = platform.now() + publicKeysMaxAgeMs;
      nextRequestAtMs = platform.now() + unknownKeyPauseMs;
    } catch (error) {
      failure = isNetworkFailure(error) ? await networkError([error], { apiUrl }, platform) : error;
      nextRequestAtMs = platform.now() + failurePauseMs;
    }
  }

  const load = shareRequest(request);

  return {
    async find(kid) {
      const isWanted = !entries.has(kid) || platform.now() >= staleAtMs;
      if (isWanted && platform.now() >= nextRequestAtMs) await load();
      const entry = entries.get(kid);
      if (entry === undefined && failure !== undefined) throw failure;
      if (entry === undefined) return undefined;
      entry.imported ??= importPublicKey(entry.jwk);
      return entry.imported;
    },
  };
}

/** The usable keys by id. A key that is already imported is kept. */
function entriesOf({ keys }: JsonWebKeySet, known: ReadonlyMap<string, Entry> = new Map()): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const jwk of keys) {
    if (jwk.kid === undefined || jwk.alg !== 'ES256') continue;
    const entry = known.get(jwk.kid);
    const isSame = entry !== undefined && entry.jwk.x === jwk.x && entry.jwk.y === jwk.y;
    entries.set(jwk.kid, isSame ? entry : { jwk, imported: undefined });
  }
  return entries;
}

/** Keys of the project are ES256 keys; the import refuses any other, e.g. a symmetric one. */
function importPublicKey({ kty, crv, x, y }: JWK): Promise<CryptoKey> {
  const jwk = { kty, crv, x, y } as JsonWebKey;
  return crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
}
