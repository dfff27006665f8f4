import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto';
import type { SigningKey, SigningKeys } from '../../core/signing-keys.ts';
import type { Secrets } from './secrets.ts';

const kidLength = 12;
/** FIPS 186-5 A.2.1: 64 bits more than the order, so that the remainder is almost uniform. */
const seedBytes = 40;
const groupOrder = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/**
 * Derives the keys from the installation's secret, the project and a generation: nothing is stored, and all processes
 * have the same keys. A higher generation rotates the keys: the next key is published before it signs, the previous one
 * verifies until its last tokens have expired. During a change of the installation's secret the keys of the other secret
 * are published and verify as well.
 */
export function signingKeys(secrets: Secrets, projectId: string, generation: number): SigningKeys {
  const { current, all } = deriveGenerations(secrets.derive, projectId, generation);
  if (secrets.deriveAccepted === undefined) return { current, all };
  return { current, all: [...all, ...deriveGenerations(secrets.deriveAccepted, projectId, generation).all] };
}

function deriveGenerations(derive: Secrets['derive'], projectId: string, generation: number): SigningKeys {
  const current = deriveKey(derive, projectId, generation);
  const next = deriveKey(derive, projectId, generation + 1);
  const previous = generation > 1 ? [deriveKey(derive, projectId, generation - 1)] : [];
  return { current, all: [current, next, ...previous] };
}

function deriveKey(derive: Secrets['derive'], projectId: string, generation: number): SigningKey {
  const purpose = `signing key ${generation} of ${projectId}`;
  const scalar = toScalar(derive(purpose, seedBytes));
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const kid = derive(`kid of ${purpose}`).toString('base64url').slice(0, kidLength);
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  return {
    kid,
    privateKey: createPrivateKey({ format: 'jwk', key: { ...jwk, d: scalar.toString('base64url') } }),
    publicKey: createPublicKey({ format: 'jwk', key: jwk }),
    publicJwk: { kty: 'EC', alg: 'ES256', crv: 'P-256', x, y, kid },
  };
}

/** A number from 1 to the group order minus one, as 32 bytes. */
function toScalar(seed: Buffer): Buffer {
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (groupOrder - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}
