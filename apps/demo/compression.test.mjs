import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { acceptsGzip, compressedFile } from './compression.mjs';

test.each([
  ['gzip, deflate, br', true],
  ['br;q=1, gzip;q=0.5', true],
  ['br, gzip;q=0', false],
  ['br', false],
  [undefined, false],
])('a browser that accepts %s gets gzip: %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts);
});

test('a file is compressed once, and one that could not be read is read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-demo-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'app.js');
  await expect(compressedFile(path)).rejects.toThrow('ENOENT');

  await writeFile(path, 'let a;');
  const [one, other] = await Promise.all([compressedFile(path), compressedFile(path)]);
  expect(gunzipSync(one).toString()).toBe('let a;');
  expect(other).toBe(one);
});
