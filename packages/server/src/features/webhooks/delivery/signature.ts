import { createHmac, randomBytes } from 'node:crypto';
import { webhookSecretBytes } from '@tessera/protocol';

/** A key that signs what an endpoint gets. */
export interface SigningKey {
  /** `whsec_` and bytes in base64. */
  readonly key: string;
  /** From when on it signs no more; null for the newest one. */
  readonly endsAtMillis: number | null;
}

const prefix = 'whsec_';

export function makeSecret(): string {
  return prefix + randomBytes(webhookSecretBytes).toString('base64');
}

/**
 * The headers that receivers verify, with one signature for each key that is valid: by the names that Svix gave them,
 * and by those of the Standard Webhooks specification, so that the libraries of both take the request as it comes.
 * Control 87.
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  keys: readonly SigningKey[],
  nowMillis: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMillis / 1000));
  const signatures = validKeys(keys, nowMillis).map(({ key }) => {
    const secret = Buffer.from(key.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', secret).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`;
  });
  const values = { id: message.id, timestamp, signature: signatures.join(' ') };
  const named = ['svix', 'webhook'].flatMap(family =>
    Object.entries(values).map(([name, value]) => [`${family}-${name}`, value]),
  );
  return Object.fromEntries(named);
}

/** Puts a key in front; the one that signed so far goes on for a while, others end when they would have. */
export function rotatedKeys(
  keys: readonly SigningKey[],
  next: { readonly key: string; readonly overlapMs: number },
  nowMillis: number,
): SigningKey[] {
  const older = validKeys(keys, nowMillis)
    .map(({ key, endsAtMillis }) => ({ key, endsAtMillis: endsAtMillis ?? nowMillis + next.overlapMs }))
    .filter(({ key }) => key !== next.key);
  return [{ key: next.key, endsAtMillis: null }, ...validKeys(older, nowMillis)];
}

/** The one that signs from now on. */
export function currentKey(keys: readonly SigningKey[]): string {
  const newest = keys.find(({ endsAtMillis }) => endsAtMillis === null);
  if (newest === undefined) throw new Error('an endpoint without a key');
  return newest.key;
}

function validKeys(keys: readonly SigningKey[], nowMillis: number): SigningKey[] {
  return keys.filter(({ endsAtMillis }) => endsAtMillis === null || endsAtMillis > nowMillis);
}
