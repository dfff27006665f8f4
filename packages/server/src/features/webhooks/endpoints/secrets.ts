import * as z from 'zod';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { SigningKey } from '../delivery/signature.ts';

/** Encryption purpose of endpoint signing keys (control 99). */
export const webhookSecretsPurpose = 'webhook secrets';

const stored = z.array(z.object({ key: z.string(), endsAtMillis: z.number().nullable() }));

export function encryptKeys(secrets: Secrets, keys: readonly SigningKey[]): Buffer {
  return secrets.encrypt(webhookSecretsPurpose, JSON.stringify(keys));
}

export function decryptKeys(secrets: Secrets, encrypted: Buffer): SigningKey[] {
  return stored.parse(JSON.parse(secrets.decrypt(webhookSecretsPurpose, encrypted).toString()));
}
