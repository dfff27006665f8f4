import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decryptBackup, encryptBackup } from './encrypted-file.ts';

const passphrase = 'a passphrase for this test';

async function* inChunks(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const encrypted = (bytes: Buffer) => collect(encryptBackup(inChunks(bytes, 50_000), passphrase));
const decrypted = (file: Buffer, given = passphrase) => collect(decryptBackup(inChunks(file, 10_000), given));

test.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
  '%d bytes are the same after encryption and decryption of a backup',
  async length => {
    const bytes = randomBytes(length);
    expect((await decrypted(await encrypted(bytes))).equals(bytes)).toBe(true);
  },
);

test('another passphrase is refused', async () => {
  const file = await encrypted(Buffer.from('text'));
  await expect(decrypted(file, 'another passphrase')).rejects.toThrow('The passphrase is not the one');
});

test('a passphrase with fewer than 12 characters is refused', async () => {
  await expect(collect(encryptBackup(inChunks(Buffer.from('text'), 10), 'short'))).rejects.toThrow('12 characters');
});

test('a changed byte, a missing end, a missing frame and added bytes are found', async () => {
  const file = await encrypted(randomBytes(200_000));
  const head = file.indexOf('\n') + 1;
  const frame = 4 + file.readUInt32BE(head);
  const changed = Buffer.from(file);
  changed.writeUInt8(changed.readUInt8(150_000) ^ 1, 150_000);
  const files = {
    changed,
    cut: file.subarray(0, -1),
    cutAtFrame: file.subarray(0, head + frame),
    withoutFrame: Buffer.concat([file.subarray(0, head + frame), file.subarray(head + 2 * frame)]),
    longer: Buffer.concat([file, Buffer.from([0])]),
  };
  for (const [name, one] of Object.entries(files)) {
    await expect(decrypted(one), name).rejects.toThrow('damaged');
  }
});

test('a file of another format is refused', async () => {
  await expect(decrypted(Buffer.from('{"format":"zip"}\n'))).rejects.toThrow('not a backup');
  await expect(decrypted(randomBytes(10_000))).rejects.toThrow('not a backup');
});
