import { crc32 } from 'node:zlib';
import { type ApiKeyKind, base32Alphabet } from '@tessera/protocol';

/** What a key consists of (docs/contract/api-keys.md#secret-format). */
interface KeyParts {
  /** 45 characters, 225 random bits. */
  readonly secret: string;
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly isPublic: boolean;
}

const marker = '574ck4u7h';
/** Not set in keys of the vendor's hosted service. */
const selfHosted = 1;
const forPublic = 2;

/** Formats a key, so that secret scanners can identify the issuer offline. */
export function makeSecret({ secret, id, kind, isPublic }: KeyParts): string {
  const flag = base32Alphabet[selfHosted | (isPublic ? forPublic : 0)];
  const text = `${isPublic ? 'pk' : 'sk'}_${secret}${id.replaceAll('-', '')}${kind}${flag}${marker}`;
  return text + checksum(text);
}

/** CRC-32 of zlib over the UTF-8 bytes, in eight hex digits. */
function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
