import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { boundDecoding } from './image-structure.ts';

/** A chunk of a PNG. The checksum of a dropped chunk is never read. */
function chunkOf(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

const afterHeader = 8 + 25;

test('control 79: the texts of a PNG are dropped before the decoder unpacks them into memory', async () => {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .png()
    .withIccProfile('p3')
    .toBuffer();
  const text = deflateSync(Buffer.alloc(7_000_000, 'A'));
  const texts = [
    chunkOf('tEXt', Buffer.from('a\0b')),
    ...Array<Buffer>(100).fill(chunkOf('zTXt', Buffer.concat([Buffer.from('a\0\0'), text]))),
    chunkOf('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0'), text])),
  ];
  const bomb = Buffer.concat([plain.subarray(0, afterHeader), ...texts, plain.subarray(afterHeader)]);
  const bounded = boundDecoding(bomb) ?? Buffer.alloc(0);
  expect(bounded.toString('latin1')).not.toMatch(/[tzi](?:EXt|TXt)/);
  expect(bounded.toString('latin1')).toContain('iCCP');
  const pixels = (png: Buffer) => sharp(png).raw().toBuffer();
  expect(await pixels(bounded)).toEqual(await pixels(plain));
});

test('control 79: a colour profile of a PNG that is larger unpacked than any profile is dropped, and so is a second one', async () => {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
  const { icc = Buffer.alloc(0) } = await sharp(await sharp(plain).withIccProfile('p3').toBuffer()).metadata();
  const profileOf = (bytes: number) => {
    const profile = Buffer.alloc(bytes);
    icc.copy(profile);
    profile.writeUInt32BE(bytes);
    return chunkOf('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(profile)]));
  };
  const count = (...profiles: Buffer[]) => {
    const png = Buffer.concat([plain.subarray(0, afterHeader), ...profiles, plain.subarray(afterHeader)]);
    return boundDecoding(png)?.toString('latin1').split('iCCP').length;
  };
  expect(count(profileOf(icc.length))).toBe(2);
  expect(count(profileOf(50_000_000))).toBe(1);
  expect(count(profileOf(icc.length), profileOf(icc.length))).toBe(2);
  expect(count(chunkOf('iCCP', Buffer.from('no zero byte and no compressed data')))).toBe(1);
});

test('a PNG whose chunks are cut or too long is bounded without a fault', () => {
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  for (const rest of ['', 'IHDR', '\xff\xff\xff\xffIDATabcdefgh', '\0\0\0\0']) {
    const png = Buffer.concat([signature, Buffer.from(rest, 'latin1')]);
    expect(boundDecoding(png)?.subarray(0, 8)).toEqual(signature);
  }
});
