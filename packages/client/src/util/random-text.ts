import { base32Alphabet, randomStringLength } from '@tessera/protocol/limits';

/** 225 random bits as 45 characters of lower-case base32. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(randomStringLength));
  return Array.from(bytes, byte => base32Alphabet[byte & 31]).join('');
}
