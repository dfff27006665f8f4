import { createHmac, type KeyObject, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SigningKey, SigningKeys } from '../../core/signing-keys.ts';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { createSecrets } from './secrets.ts';
import { signingKeys } from './signing-keys.ts';

const secrets = createSecrets('the secret of an installation');
const attacker = signingKeys(createSecrets('the secret of another installation'), 'internal', 1).current;
const subject = {
  projectId: 'internal',
  userId: '3241a285-8329-4d69-8f3d-316e08cf140c',
  sessionId: '9c1d1f0e-7d5e-4b43-9a1c-0a5a4f6f2a11',
};
const startMillis = Date.UTC(2026, 0, 15, 12);
const lifetimeMs = 600_000;

let nowMillis: number;
let keys: SigningKeys | undefined;
let tokens: AccessTokens;

beforeEach(() => {
  nowMillis = startMillis;
  keys = signingKeys(secrets, 'internal', 2);
  tokens = createTokens();
});

function createTokens(): AccessTokens {
  return createAccessTokens({
    issuerBase: 'http://localhost:4280/api/v1/projects',
    lifetimeMs,
    clock: { now: () => nowMillis },
    keysOf: async projectId => (projectId === 'internal' ? keys : undefined),
  });
}

const current = (): SigningKey => keys?.current ?? attacker;

const goodPayload = {
  iss: 'http://localhost:4280/api/v1/projects/internal',
  aud: 'internal',
  sub: subject.userId,
  iat: startMillis / 1000,
  exp: (startMillis + lifetimeMs) / 1000,
  branchId: 'main',
  refreshTokenId: subject.sessionId,
  role: 'authenticated',
};

const goodClaims = {
  projectId: 'internal',
  userId: subject.userId,
  sessionId: subject.sessionId,
  expiresAtMillis: startMillis + lifetimeMs,
};

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token with any header, payload and key. */
function forge(header: object, payload: unknown, key: KeyObject = current().privateKey): string {
  const signed = `${part({ alg: 'ES256', kid: current().kid, ...header })}.${part(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function decoded(token: string): unknown[] {
  return token
    .split('.')
    .slice(0, 2)
    .map(text => JSON.parse(Buffer.from(text, 'base64url').toString()));
}

describe('an issued access token', () => {
  test('has a header with two members and exactly the eight claims', () => {
    expect(decoded(tokens.issue(signingKeys(secrets, 'internal', 2), subject))).toEqual([
      { alg: 'ES256', kid: current().kid },
      goodPayload,
    ]);
  });

  test('is valid until its last millisecond, without clock tolerance', async () => {
    const token = tokens.issue(signingKeys(secrets, 'internal', 2), subject);
    expect(await tokens.verify(token)).toEqual({ status: 'valid', claims: goodClaims });
    nowMillis = startMillis + lifetimeMs - 1;
    expect(await tokens.verify(token)).toEqual({ status: 'valid', claims: goodClaims });
    nowMillis = startMillis + lifetimeMs;
    const expired = { status: 'expired', expiredAtMillis: startMillis + lifetimeMs };
    expect([await tokens.verify(token), await createTokens().verify(token)]).toEqual([expired, expired]);
  });
});

describe('control 29: a token is refused', () => {
  test.each<[string, () => string]>([
    ['with alg none and no signature', () => `${part({ alg: 'none', kid: current().kid })}.${part(goodPayload)}.`],
    ['with alg none and a good signature', () => forge({ alg: 'none' }, goodPayload)],
    ['with alg in lower case', () => forge({ alg: 'es256' }, goodPayload)],
    ['without alg', () => forge({ alg: undefined }, goodPayload)],
    ['with HS256 under the public key as PEM', () => hmacSigned(publicPem())],
    ['with HS256 under the public key as JWK', () => hmacSigned(JSON.stringify(current().publicJwk))],
    ['with HS256 under an empty key', () => hmacSigned('')],
    ['with ES384', () => forge({ alg: 'ES384' }, goodPayload)],
    ['with RS256', () => forge({ alg: 'RS256' }, goodPayload)],
    ['of a foreign key under our kid', () => forge({}, goodPayload, attacker.privateKey)],
    ['of an embedded key', () => forge({ jwk: attacker.publicJwk }, goodPayload, attacker.privateKey)],
    ['of a key behind jku', () => forge({ jku: 'https://evil.example/jwks' }, goodPayload, attacker.privateKey)],
    ['of a key behind x5u', () => forge({ x5u: 'https://evil.example/cert' }, goodPayload, attacker.privateKey)],
    ['with an unknown kid', () => forge({ kid: attacker.kid }, goodPayload)],
    ['without a kid', () => forge({ kid: undefined }, goodPayload)],
    ['with a kid that is a path', () => forge({ kid: '../../dev/null' }, goodPayload)],
    ['with a kid that is not a string', () => forge({ kid: [current().kid] }, goodPayload)],
    ['with critical extensions', () => forge({ crit: ['exp'] }, goodPayload)],
    ['of another type', () => forge({ typ: 'at+jwt' }, goodPayload)],
    ['of another issuer', () => forge({}, { ...goodPayload, iss: 'https://evil.example/api/v1/projects/internal' })],
    ['with the issuer of another project', () => forge({}, { ...goodPayload, iss: `${goodPayload.iss}2` })],
    ['without an issuer', () => forge({}, { ...goodPayload, iss: undefined })],
    ['for a project that is not there', () => forge({}, { ...goodPayload, aud: 'nowhere' })],
    ['for a list of projects', () => forge({}, { ...goodPayload, aud: ['internal'] })],
    ['without an audience', () => forge({}, { ...goodPayload, aud: undefined })],
    ['without an expiry', () => forge({}, { ...goodPayload, exp: undefined })],
    ['with an expiry that is a text', () => forge({}, { ...goodPayload, exp: String(goodPayload.exp) })],
    ['that holds from the next second on', () => forge({}, { ...goodPayload, nbf: startMillis / 1000 + 1 })],
    ['without a subject', () => forge({}, { ...goodPayload, sub: undefined })],
    ['whose subject is no id', () => forge({}, { ...goodPayload, sub: 'ada' })],
    ['whose session is no id', () => forge({}, { ...goodPayload, refreshTokenId: 'session' })],
    ['whose payload is a list', () => forge({}, [goodPayload])],
    ['whose payload is null', () => forge({}, null)],
  ])('%s', async (_, make) => {
    expect(await tokens.verify(make())).toEqual({ status: 'unparsable' });
  });

  test.each<[string, (token: string) => string]>([
    ['empty', () => ''],
    ['two dots', () => '..'],
    ['not a token', () => 'eyJhbGciOiJub25lIn0'],
    ['one part short', token => token.slice(0, token.lastIndexOf('.'))],
    ['one part more', token => `${token}.`],
    ['without its signature', token => token.slice(0, token.lastIndexOf('.') + 1)],
    ['with a signature of zeros', token => `${token.slice(0, token.lastIndexOf('.') + 1)}${'A'.repeat(86)}`],
    ['with half a signature', token => token.slice(0, -43)],
    ['with a byte more in the signature', token => `${token}AA`],
    ['with another spelling of the signature', token => `${token}=`],
    ['with a blank', token => `${token} `],
    ['with another payload', token => withPayload(token, { ...goodPayload, sub: subject.sessionId })],
    ['longer than any of ours', token => token + 'A'.repeat(5_000)],
  ])('when it is %s', async (_, change) => {
    const token = change(forge({}, goodPayload));
    expect(await tokens.verify(token)).toEqual({ status: 'unparsable' });
  });

  test('by a process that has verified the original of a forged token', async () => {
    const good = forge({}, goodPayload);
    await tokens.verify(good);
    const forged = withPayload(good, { ...goodPayload, sub: subject.sessionId });
    expect(await tokens.verify(forged)).toEqual({ status: 'unparsable' });
  });
});

describe('an access token with other claims, signed with our key', () => {
  test.each<[string, object, object]>([
    ['the type JWT', { typ: 'JWT' }, {}],
    ['a jku, which is ignored', { jku: 'https://evil.example/jwks' }, {}],
    ['an embedded key, which is ignored', { jwk: attacker.publicJwk }, {}],
    ['a time from which it holds, which has come', {}, { nbf: startMillis / 1000 }],
    ['more claims', {}, { admin: true }],
  ])('may have %s', async (_, header, claims) => {
    const verdict = await tokens.verify(forge(header, { ...goodPayload, ...claims }));
    expect(verdict).toEqual({ status: 'valid', claims: goodClaims });
  });

  test('is valid without a session id', async () => {
    const verdict = await tokens.verify(forge({}, { ...goodPayload, refreshTokenId: undefined }));
    expect(verdict).toEqual({ status: 'valid', claims: { ...goodClaims, sessionId: undefined } });
  });
});

describe('control 31: after a change of the signing keys', () => {
  test('a token of the previous key is valid until it expires', async () => {
    const token = tokens.issue(signingKeys(secrets, 'internal', 1), subject);
    expect(await tokens.verify(token)).toEqual({ status: 'valid', claims: goodClaims });
  });

  test('a token of the next key is valid, because another process may have rotated first', async () => {
    const token = tokens.issue(signingKeys(secrets, 'internal', 3), subject);
    expect(await tokens.verify(token)).toEqual({ status: 'valid', claims: goodClaims });
  });

  test('a token of a removed key is refused, also when it was verified before', async () => {
    const token = tokens.issue(signingKeys(secrets, 'internal', 1), subject);
    await tokens.verify(token);
    keys = signingKeys(secrets, 'internal', 3);
    expect([await createTokens().verify(token), await tokens.verify(token)]).toEqual([
      { status: 'unparsable' },
      { status: 'unparsable' },
    ]);
  });

  test('a token of a deleted project is refused, also when it was verified before', async () => {
    const token = tokens.issue(signingKeys(secrets, 'internal', 2), subject);
    await tokens.verify(token);
    keys = undefined;
    expect([await createTokens().verify(token), await tokens.verify(token)]).toEqual([
      { status: 'unparsable' },
      { status: 'unparsable' },
    ]);
  });
});

function publicPem(): string {
  return current().publicKey.export({ format: 'pem', type: 'spki' }).toString();
}

function hmacSigned(key: string): string {
  const signed = `${part({ alg: 'HS256', kid: current().kid })}.${part(goodPayload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function withPayload(token: string, payload: object): string {
  const [header, , signature] = token.split('.');
  return `${header}.${part(payload)}.${signature}`;
}
