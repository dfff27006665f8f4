import { randomBytes, randomFillSync } from 'node:crypto';
import { randomStringLength } from '@tessera/protocol';

/** Crockford's base32 in lower case: no i, l, o, u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const requestIdLength = 16;

/** Drawn for many request ids at once: a draw for each took 5 % of a request's time. */
const requestIdBytes = Buffer.alloc(256 * requestIdLength);
let nextRequestId = requestIdBytes.length;

/** One character for each byte, of its last five bits. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** A secret of 45 characters, 225 random bits (docs/contract/envelope.md#ids-and-random-strings). Control 24. */
export function randomSecret(): string {
  return toBase32(randomBytes(randomStringLength));
}

/** 80 random bits: enough to find one request in the logs. */
export function randomRequestId(): string {
  if (nextRequestId === requestIdBytes.length) {
    randomFillSync(requestIdBytes);
    nextRequestId = 0;
  }
  const bytes = requestIdBytes.subarray(nextRequestId, nextRequestId + requestIdLength);
  nextRequestId += requestIdLength;
  return toBase32(bytes);
}
