import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A decoded `COSE_Key` (RFC 9052, section 7). */
type CoseKey = ReadonlyMap<number, unknown>;

const labels = { type: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;

/** The check of each algorithm (RFC 9053, section 7; RFC 8230, section 4). */
const checks: Readonly<Record<string, (key: CoseKey) => void>> = {
  '-7': key => {
    if (key.get(labels.type) !== 2 || key.get(labels.curve) !== 1) throw new Error('the curve is not P-256');
    toPublicKey({ kty: 'EC', crv: 'P-256', x: textAt(key, labels.x), y: textAt(key, labels.y) });
  },
  '-8': key => {
    if (key.get(labels.type) !== 1 || key.get(labels.curve) !== 6) throw new Error('the curve is not Ed25519');
    const x = textAt(key, labels.x);
    toPublicKey({ kty: 'OKP', crv: 'Ed25519', x });
    if (isOfSmallOrder(Buffer.from(x, 'base64url'))) throw new Error('the public key is a point of small order');
  },
  '-257': key => {
    if (key.get(labels.type) !== 3) throw new Error('the public key is not an RSA key');
    const jwk = { kty: 'RSA', n: textAt(key, labels.modulus), e: textAt(key, labels.exponent) };
    const { modulusLength = 0, publicExponent = 0n } = toPublicKey(jwk).asymmetricKeyDetails ?? {};
    // RFC 8812, section 2. With the exponent 1, anyone can make a signature.
    const isStrong = modulusLength >= 2048 && publicExponent >= 3n && publicExponent % 2n === 1n;
    if (!isStrong) throw new Error('the RSA key is too weak');
  },
};

/** @throws for a key that never verifies a signature, or that verifies signatures without the private key */
export function assertUsableKey(key: CoseKey): void {
  const check = checks[String(key.get(labels.algorithm))];
  if (check === undefined) throw new Error('the algorithm is not supported');
  check(key);
}

/** @throws for a point that is not on its curve */
function toPublicKey(key: JsonWebKey): KeyObject {
  return createPublicKey({ format: 'jwk', key });
}

/** Bytes as base64url, as in a JWK. */
function textAt(key: CoseKey, label: number): string {
  const value = key.get(label);
  if (!(value instanceof Uint8Array)) throw new Error(`the public key has no bytes at the label ${label}`);
  return Buffer.from(value).toString('base64url');
}

const fieldPrime = 2n ** 255n - 19n;
/** The y coordinate of points of order 8; the others of this order have its negative. */
const yOfOrder8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const smallOrderYs = new Set([0n, 1n, fieldPrime - 1n, yOfOrder8, fieldPrime - yOfOrder8]);

/**
 * Whether the order of an Ed25519 point divides 8. Such a key, all zeros for example, verifies some signatures that anyone
 * can make. The coordinate is little-endian, the highest bit is the sign of x (RFC 8032, section 5.1.3).
 */
function isOfSmallOrder(point: Buffer): boolean {
  const value = BigInt(`0x${Buffer.from(point.toReversed()).toString('hex')}`);
  return smallOrderYs.has(BigInt.asUintN(255, value) % fieldPrime);
}
