import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepMs = 30_000;

/** The code of an authenticator app with this key (RFC 6238), optionally `steps` half minutes later. */
export function totpCode(key: string, steps = 0): string {
  const bits = [...key.replaceAll(' ', '')].map(message => alphabet.indexOf(message).toString(2).padStart(5, '0'));
  const secret = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + steps));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const number = hash.readUInt32BE(hash.readUInt8(19) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
