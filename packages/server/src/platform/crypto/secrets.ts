import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { WrittenByNewerVersion } from '../queue/newer-version.ts';

/** The installation's secret, and the keys that are derived from it. */
export interface Secrets {
  /** Derives a separate key for each purpose (RFC 5869), so that no two uses share one. */
  derive(purpose: string, lengthBytes?: number): Buffer;
  /** Like `derive`, for the other accepted secret while the installation changes its secret. */
  readonly deriveAccepted: Secrets['derive'] | undefined;
  /** Encrypts under the installation's key. A value decrypts only for the purpose that it was encrypted for. */
  encrypt(purpose: string, plain: string | Uint8Array): Buffer;
  /** @throws when the value is damaged, is encrypted under a secret that is not accepted, or has another purpose */
  decrypt(purpose: string, encrypted: Uint8Array): Buffer;
  /** The prefix of each value that is encrypted under the installation's secret, and of no other value. */
  readonly currentHeader: Buffer;
}

/** Values of the first version do not contain the id of their secret. */
const versions = { withoutKeyId: 1, withKeyId: 2 } as const;
const keyIdBytes = 4;
const ivBytes = 12;
const tagBytes = 16;

interface Key {
  readonly id: Buffer;
  derive(purpose: string, lengthBytes?: number): Buffer;
  /** The encryption key of a purpose. */
  keyOf(purpose: string): Buffer;
}

/**
 * @param acceptedSecret another secret whose values are decrypted as well: the previous one after a change, or the next
 *   one before it. No value is encrypted under it
 */
export function createSecrets(installationSecret: string, acceptedSecret?: string): Secrets {
  const current = createKey(installationSecret);
  const isOther = acceptedSecret !== undefined && acceptedSecret !== installationSecret;
  const accepted = isOther ? createKey(acceptedSecret) : undefined;
  const keys = accepted === undefined ? [current] : [current, accepted];
  const currentHeader = Buffer.concat([Buffer.of(versions.withKeyId), current.id]);

  return {
    derive: current.derive,
    deriveAccepted: accepted?.derive,
    currentHeader,
    encrypt(purpose, plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current.keyOf(purpose), iv);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([currentHeader, iv, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, encrypted) {
      const { candidates, content } = readHeader(encrypted, keys);
      return tryKeys(candidates, key => decryptContent(key.keyOf(purpose), content));
    },
  };
}

function createKey(secret: string): Key {
  const derive = (purpose: string, lengthBytes = 32) =>
    Buffer.from(hkdfSync('sha256', secret, 'tessera', purpose, lengthBytes));
  const keys = new Map<string, Buffer>();
  return {
    id: derive('id of the secret', keyIdBytes),
    derive,
    keyOf(purpose) {
      const known = keys.get(purpose) ?? derive(`encrypt ${purpose}`);
      keys.set(purpose, known);
      return known;
    },
  };
}

/** The keys that a value may be encrypted under, and the content after its header. */
function readHeader(encrypted: Uint8Array, keys: readonly Key[]): { candidates: readonly Key[]; content: Uint8Array } {
  if (encrypted[0] === versions.withoutKeyId) return { candidates: keys, content: encrypted.subarray(1) };
  if (encrypted[0] !== versions.withKeyId) throw new WrittenByNewerVersion('an encrypted value of an unknown format');
  const id = encrypted.subarray(1, 1 + keyIdBytes);
  return { candidates: keys.filter(key => key.id.equals(id)), content: encrypted.subarray(1 + keyIdBytes) };
}

function tryKeys(keys: readonly Key[], open: (key: Key) => Buffer): Buffer {
  let failure: unknown;
  for (const key of keys) {
    try {
      return open(key);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new WrittenByNewerVersion('a value that is encrypted under an unknown secret');
}

function decryptContent(key: Buffer, content: Uint8Array): Buffer {
  const iv = content.subarray(0, ivBytes);
  const tag = content.subarray(ivBytes, ivBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(tag);
  return Buffer.concat([decipher.update(content.subarray(ivBytes + tagBytes)), decipher.final()]);
}

/** How secrets with sufficient entropy of their own (tokens, codes, keys) are stored and looked up. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
