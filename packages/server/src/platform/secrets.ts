import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** The installation's secret, and everything that is derived from it. */
export interface Secrets {
  /** A key of its own for each purpose (RFC 5869), so that no two uses share one. */
  derive(purpose: string, lengthBytes?: number): Buffer;
  /** Encrypts under the installation's key; the purpose is bound in, a value does not decrypt for another one. */
  encrypt(purpose: string, plain: string | Uint8Array): Buffer;
  /** @throws when the value was changed, or encrypted under another secret or for another purpose */
  decrypt(purpose: string, sealed: Uint8Array): Buffer;
}

const version = 1;
const ivBytes = 12;
const tagBytes = 16;

export function createSecrets(installationSecret: string): Secrets {
  const derive = (purpose: string, lengthBytes = 32) =>
    Buffer.from(hkdfSync('sha256', installationSecret, 'tessera', purpose, lengthBytes));
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string) => {
    const known = keys.get(purpose) ?? derive(`encrypt ${purpose}`);
    keys.set(purpose, known);
    return known;
  };

  return {
    derive,
    encrypt(purpose, plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), iv);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, sealed) {
      if (sealed[0] !== version) throw new Error('a sealed value of an unknown version');
      const iv = sealed.subarray(1, 1 + ivBytes);
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose), iv).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]);
    },
  };
}

/** How secrets that carry their own entropy (tokens, codes, keys) are stored and looked up. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
