import type { accessTokenMaxLength as limit } from '@tessera/protocol';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type { PublicKeys } from './public-keys.ts';

/** Longer texts are refused before they are parsed. A checked copy: an import would put it into the first chunk of browsers. */
export const accessTokenMaxLength: typeof limit = 4_096;

/**
 * The payload of a text that a key of the project signed with ES256; undefined for any other text. The algorithm is
 * fixed and of the header only the key id and the type are used (RFC 8725). Control 29.
 *
 * @param type the required `typ`; undefined: absent or `JWT`.
 * @throws RequestError when no key set is known.
 */
export async function openSigned(text: string, keys: PublicKeys, type?: string): Promise<unknown> {
  const header = headerOf(text);
  if (header?.kid === undefined || header.alg !== 'ES256') return undefined;
  if (type === undefined ? header.typ !== undefined && header.typ !== 'JWT' : header.typ !== type) return undefined;
  const key = await keys.find(header.kid);
  if (key === undefined) return undefined;
  try {
    const { payload } = await compactVerify(text, key, { algorithms: ['ES256'] });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch (error) {
    // A bad signature, a malformed text, or a payload that is not JSON.
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

function headerOf(text: string) {
  try {
    return decodeProtectedHeader(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
