import { randomBytes, randomFillSync } from 'node:crypto';
import { base32Alphabet, randomStringLength } from '@tessera/protocol';

const requestIdLength = 16;

/** Random bytes for many request ids at once: one call per id took 5 % of the time of a request. */
const requestIdBytes = Buffer.alloc(256 * requestIdLength);
let nextRequestId = requestIdBytes.length;

/** One character per byte, from its last five bits. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += base32Alphabet[byte & 31];
  return text;
}

/** A secret of 45 characters with 225 random bits (docs/contract/envelope.md#ids-and-random-strings). Control 24. */
export function randomSecret(): string {
  return toBase32(randomBytes(randomStringLength));
}

/** 80 random bits: enough to identify a request in the logs. */
export function randomRequestId(): string {
  if (nextRequestId === requestIdBytes.length) {
    randomFillSync(requestIdBytes);
    nextRequestId = 0;
  }
  const bytes = requestIdBytes.subarray(nextRequestId, nextRequestId + requestIdLength);
  nextRequestId += requestIdLength;
  return toBase32(bytes);
}
