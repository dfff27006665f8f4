import { randomStringLength } from '@tessera/protocol/limits';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** 225 random bits as 45 characters of lower-case base32. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(randomStringLength));
  return Array.from(bytes, byte => alphabet[byte & 31]).join('');
}
