import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type AppleKey, readAppleKey } from '@tessera/protocol';
import { signCompact } from '../../../platform/crypto/compact-signature.ts';
import { ProviderFailure } from '../rules.ts';

/** Apple accepts half a year; a secret is used at once. */
const lifetimeSeconds = 300;

/**
 * The client secret for a request to Apple: signed with the configured key, or the configured JWT itself
 * (docs/contract/oauth.md#the-key-of-apple).
 *
 * @throws ProviderFailure when the key is not one of P-256
 */
export function appleClientSecret(clientId: string, configured: string, nowMillis: number): string {
  const read = readAppleKey(configured);
  if (read === undefined) return configured;
  if ('wrong' in read) throw new ProviderFailure('client', `the configured key of Apple is wrong: ${read.wrong}`);

  const { team_id: iss, key_id: kid } = read.key;
  const iat = Math.floor(nowMillis / 1000);
  const claims = { iss, iat, exp: iat + lifetimeSeconds, aud: 'https://appleid.apple.com', sub: clientId };
  return signCompact({ kid, privateKey: privateKeyOf(read.key) }, claims);
}

function privateKeyOf({ private_key }: AppleKey): KeyObject {
  try {
    const key = createPrivateKey(private_key);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The error of OpenSSL says less than ours.
  }
  throw new ProviderFailure('client', 'the configured key of Apple is not a private key of P-256');
}
