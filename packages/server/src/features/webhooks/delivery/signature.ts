import { createHmac, randomBytes } from 'node:crypto';
import { webhookSecretBytes } from '@tessera/protocol';

/** A key that signs the requests to an endpoint. */
export interface SigningKey {
  /** `whsec_` and base64. */
  readonly key: string;
  /** End of validity; null for the current key. */
  readonly endsAtMillis: number | null;
}

const prefix = 'whsec_';

export function makeSecret(): string {
  return prefix + randomBytes(webhookSecretBytes).toString('base64');
}

/**
 * The signature headers, with one signature per valid key. They are sent under the names of Svix and of the Standard
 * Webhooks specification, so that the libraries of both verify the request (control 87).
 */
export function signatureHeaders(
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

/** Makes `next` the current key. The former one stays valid for `overlapMs`, older ones until their own end. */
export function rotateKeys(
  keys: readonly SigningKey[],
  next: { readonly key: string; readonly overlapMs: number },
  nowMillis: number,
): SigningKey[] {
  const older = validKeys(keys, nowMillis)
    .map(({ key, endsAtMillis }) => ({ key, endsAtMillis: endsAtMillis ?? nowMillis + next.overlapMs }))
    .filter(({ key }) => key !== next.key);
  return [{ key: next.key, endsAtMillis: null }, ...validKeys(older, nowMillis)];
}

/** The key that new receivers verify with. */
export function currentKey(keys: readonly SigningKey[]): string {
  const newest = keys.find(({ endsAtMillis }) => endsAtMillis === null);
  if (newest === undefined) throw new Error('the endpoint has no current signing key');
  return newest.key;
}

function validKeys(keys: readonly SigningKey[], nowMillis: number): SigningKey[] {
  return keys.filter(({ endsAtMillis }) => endsAtMillis === null || endsAtMillis > nowMillis);
}
