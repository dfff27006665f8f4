import { verify } from 'node:crypto';
import { accessTokenMaxLength } from '@tessera/protocol/limits';
import * as z from 'zod';
import type { SigningKey, SigningKeys } from '../../core/signing-keys.ts';
import type { Clock } from '../clock.ts';
import { dropOldest } from '../drop-oldest.ts';
import { signCompact } from './compact-signature.ts';

/** The claims of an access token (docs/contract/tokens-and-sessions.md#access-token). */
export interface AccessTokenClaims {
  readonly projectId: string;
  readonly userId: string;
  /** Absent in tokens of an older format. */
  readonly sessionId: string | undefined;
  readonly expiresAtMillis: number;
}

export type Verdict =
  | { readonly status: 'valid'; readonly claims: AccessTokenClaims }
  | { readonly status: 'expired'; readonly expiredAtMillis: number }
  | { readonly status: 'unparsable' };

export interface AccessTokens {
  /** Creates an ES256 token with exactly the eight claims of the contract. */
  issue(keys: SigningKeys, subject: { projectId: string; userId: string; sessionId: string }): string;
  /**
   * The signature is checked once per token, and synchronously: an asynchronous check would wait in the thread pool.
   * Other algorithms, unknown keys, foreign issuers and wrong types are refused. Of the header only `kid` is used.
   */
  verify(token: string): Promise<Verdict>;
  readonly lifetimeMs: number;
}

export interface AccessTokenOptions {
  /** `{public URL}/api/v1/projects`; the issuer is this URL and the project id. */
  readonly issuerBase: string;
  readonly lifetimeMs: number;
  readonly clock: Clock;
  /** The keys of a project; undefined when the project does not exist. */
  readonly keysOf: (projectId: string) => Promise<SigningKeys | undefined>;
}

const maxRemembered = 10_000;
const unparsable: Verdict = { status: 'unparsable' };

const headerSchema = z.object({
  alg: z.literal('ES256'),
  kid: z.string(),
  typ: z.literal('JWT').optional(),
  crit: z.undefined().optional(),
});
const payloadSchema = z.object({
  iss: z.string(),
  aud: z.string().regex(/^[\w-]{1,64}$/),
  sub: z.uuid(),
  exp: z.number(),
  nbf: z.number().optional(),
  refreshTokenId: z.uuid().optional(),
});

interface Remembered {
  readonly claims: AccessTokenClaims;
  readonly notBeforeMillis: number;
  /** The key that verified the token; the project must still have it. */
  readonly kid: string;
}

/** Controls 29, 30: checks algorithm, key, issuer and audience of an access token. */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const remembered = new Map<string, Remembered>();

  function remember(token: string, entry: Remembered): void {
    remembered.set(token, entry);
    dropOldest(remembered, maxRemembered);
  }

  function verdictOf(entry: Remembered): Verdict {
    const now = options.clock.now();
    const { expiresAtMillis } = entry.claims;
    if (expiresAtMillis <= now) return { status: 'expired', expiredAtMillis: expiresAtMillis };
    return entry.notBeforeMillis > now ? unparsable : { status: 'valid', claims: entry.claims };
  }

  async function verifyAnew(token: string): Promise<Verdict> {
    const parts = decode(token);
    if (parts === undefined) return unparsable;
    const keys = await options.keysOf(parts.payload.aud);
    const key = keys?.all.find(one => one.kid === parts.header.kid);
    if (keys === undefined || key === undefined) return unparsable;
    if (parts.payload.iss !== `${options.issuerBase}/${parts.payload.aud}`) return unparsable;
    if (!isSignedBy(key, parts)) return unparsable;
    const entry = { claims: claimsOf(parts.payload), notBeforeMillis: (parts.payload.nbf ?? 0) * 1000, kid: key.kid };
    remember(token, entry);
    return verdictOf(entry);
  }

  return {
    lifetimeMs: options.lifetimeMs,
    issue({ current }, subject) {
      const issuedAt = Math.floor(options.clock.now() / 1000);
      const payload = {
        iss: `${options.issuerBase}/${subject.projectId}`,
        aud: subject.projectId,
        sub: subject.userId,
        iat: issuedAt,
        exp: issuedAt + Math.floor(options.lifetimeMs / 1000),
        branchId: 'main',
        refreshTokenId: subject.sessionId,
        role: 'authenticated',
      };
      return signCompact(current, payload);
    },
    async verify(token) {
      if (token.length > accessTokenMaxLength) return unparsable;
      const known = remembered.get(token);
      if (known === undefined) return verifyAnew(token);
      const keys = await options.keysOf(known.claims.projectId);
      return keys?.all.some(key => key.kid === known.kid) === true ? verdictOf(known) : unparsable;
    },
  };
}

interface TokenParts {
  readonly header: z.infer<typeof headerSchema>;
  readonly payload: z.infer<typeof payloadSchema>;
  readonly signed: string;
  readonly signature: Buffer;
}

function decode(token: string): TokenParts | undefined {
  const [head, body, signature, ...more] = token.split('.');
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) return undefined;
  const header = headerSchema.safeParse(parse(head));
  const payload = payloadSchema.safeParse(parse(body));
  if (!header.success || !payload.success) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  // The base64url decoder is lenient: only the canonical encoding of a signature is accepted.
  if (bytes.toString('base64url') !== signature) return undefined;
  return { header: header.data, payload: payload.data, signed: `${head}.${body}`, signature: bytes };
}

function isSignedBy(key: SigningKey, parts: TokenParts): boolean {
  const dsaEncoding = 'ieee-p1363';
  return verify('sha256', Buffer.from(parts.signed), { key: key.publicKey, dsaEncoding }, parts.signature);
}

function claimsOf(payload: z.infer<typeof payloadSchema>): AccessTokenClaims {
  return {
    projectId: payload.aud,
    userId: payload.sub,
    sessionId: payload.refreshTokenId,
    expiresAtMillis: payload.exp * 1000,
  };
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    // The part is not JSON, so this is not a token.
    return undefined;
  }
}
