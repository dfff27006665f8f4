import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completeNative, copyNative } from './binaries.ts';

let folder: string;
let installed: { native: string; version: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-native-'));
  installed = { native: join(folder, 'native'), version: '18.4.0' };
  await mkdir(join(installed.native, 'bin'), { recursive: true });
  await mkdir(join(installed.native, 'lib'));
  await writeFile(join(installed.native, 'bin/postgres'), 'program', { mode: 0o700 });
  await writeFile(join(installed.native, 'lib/libpq.so.5.18'), 'library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(installed.native, 'pg-symlinks.json'), JSON.stringify(links));
});

afterEach(async () => {
  await chmod(join(installed.native, 'lib'), 0o700);
  await rm(folder, { recursive: true });
});

test('library links that the install script did not create are created in the package, once', async () => {
  expect(await completeNative(installed, folder)).toBe(installed.native);
  expect(await completeNative(installed, folder)).toBe(installed.native);
  expect(await readlink(join(installed.native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
});

test('a copy of the package has the links and is readable by every account', async () => {
  const copy = await copyNative(installed, folder);
  expect(copy).toBe(join(folder, 'native-18.4.0'));
  expect(await readFile(join(copy, 'lib/libpq.so.5'), 'utf8')).toBe('library');
  const modes = ['', 'lib', 'bin/postgres', 'lib/libpq.so.5.18'].map(async path => (await stat(join(copy, path))).mode);
  expect((await Promise.all(modes)).map(mode => mode & 0o777)).toEqual([0o755, 0o755, 0o755, 0o644]);
});

test('processes that copy the package at the same time get the same copy', async () => {
  const copies = await Promise.all(Array.from({ length: 5 }, () => copyNative(installed, folder)));
  expect(new Set(copies)).toEqual(new Set([join(folder, 'native-18.4.0')]));
});

test.skipIf(process.getuid?.() === 0)('a read-only package is copied', async () => {
  await chmod(join(installed.native, 'lib'), 0o500);
  expect(await completeNative(installed, folder)).toBe(join(folder, 'native-18.4.0'));
});
