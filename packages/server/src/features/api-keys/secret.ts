import { crc32 } from 'node:zlib';
import { type ApiKeyKind, base32Alphabet } from '@tessera/protocol';

/** The parts of a key (docs/contract/api-keys.md#secret-format). */
export interface SecretParts {
  /** `sk`, or `pk` for a public key. */
  readonly prefix: string;
  /** 45 characters, 225 random bits. */
  readonly secret: string;
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly isPublic: boolean;
  /** Set in keys of the vendor's hosted service, and not in keys of this server. */
  readonly isFromCloud: boolean;
}

const marker = '574ck4u7h';
const selfHosted = 1;
const forPublic = 2;

/** Prefix, secret, id, kind, flag, marker, checksum. */
const form =
  /^([A-Za-z0-9_]+)_([0-9a-hjkmnp-tv-z]{45})([0-9a-f]{32})(user|team)([0-9a-hjkmnp-tv-z])574ck4u7h([0-9a-f]{8})$/;

/** Formats a key, so that secret scanners can identify the issuer offline. */
export function makeSecret({
  secret,
  id,
  kind,
  isPublic,
}: Pick<SecretParts, 'secret' | 'id' | 'kind' | 'isPublic'>): string {
  const flag = base32Alphabet[selfHosted | (isPublic ? forPublic : 0)];
  const text = `${isPublic ? 'pk' : 'sk'}_${secret}${id.replaceAll('-', '')}${kind}${flag}${marker}`;
  return text + checksum(text);
}

/** The parts of a key; undefined for a malformed key. Does not check that the key exists. */
export function parseSecret(text: string): SecretParts | undefined {
  const [, prefix, secret, id, kind, flag, sum] = form.exec(text) ?? [];
  if (prefix === undefined || secret === undefined || id === undefined || flag === undefined) return undefined;
  if (sum !== checksum(text.slice(0, -8))) return undefined;
  const bits = base32Alphabet.indexOf(flag);
  return {
    prefix,
    secret,
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    kind: kind === 'team' ? 'team' : 'user',
    isPublic: (bits & forPublic) !== 0,
    isFromCloud: (bits & selfHosted) === 0,
  };
}

/** CRC-32 of zlib over the UTF-8 bytes, in eight hex digits. */
export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
