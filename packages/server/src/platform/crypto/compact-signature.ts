import { sign } from 'node:crypto';
import type { SigningKey } from '../../core/signing-keys.ts';

/** Signs a payload with ES256, as a JWS in compact form (RFC 7515). */
export function signCompact(
  key: Pick<SigningKey, 'kid' | 'privateKey'>,
  payload: object,
  header: { readonly typ?: string } = {},
): string {
  const signed = `${encode({ alg: 'ES256', kid: key.kid, ...header })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
