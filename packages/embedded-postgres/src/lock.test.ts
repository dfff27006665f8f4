import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-lock-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('a lock that is held is refused, and the error names its holder', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'IN_USE',
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await lock.release();
});

test('a released lock can be taken again', async () => {
  const first = await lockFolder(folder);
  await first.release();
  const second = await lockFolder(folder);
  await second.release();
});

test('of many concurrent attempts exactly one gets the lock', async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  const taken = attempts.filter(attempt => attempt.status === 'fulfilled');
  expect(taken).toHaveLength(1);
  await Promise.all(taken.map(({ value }) => value.release()));
});

test('a refused attempt leaves no files behind', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'IN_USE' });
  expect(await readdir(folder)).toEqual(['lock']);
  await lock.release();
});

test.skipIf(process.platform === 'win32')('a socket without a listening process is not a lock', async () => {
  await mkdir(join(folder, 'lock'));
  await writeFile(join(folder, 'lock', '1-abcdef'), '');
  const lock = await lockFolder(folder);
  expect(await readdir(join(folder, 'lock'))).toEqual([expect.stringMatching(`^${process.pid}-`)]);
  await lock.release();
});

test('a folder with a path longer than a socket address can be locked', async () => {
  const long = join(folder, 'a'.repeat(60), 'b'.repeat(60));
  await mkdir(long, { recursive: true });
  const lock = await lockFolder(long);
  await expect(lockFolder(long)).rejects.toMatchObject({ code: 'IN_USE' });
  await lock.release();
  await (await lockFolder(long)).release();
});
