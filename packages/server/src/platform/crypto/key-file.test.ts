import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installationSecret, type KeyFile, readKeyFile, writeKeyFile } from './key-file.ts';

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-keys-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const content: KeyFile = {
  projects: {
    internal: {
      displayName: 'Tessera',
      publishableClientKey: 'pck_1',
      secretServerKey: 'ssk_1',
      superSecretAdminKey: 'sak_1',
    },
  },
  internal: 'internal',
  url: 'http://localhost:4280',
};

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('control 98: the secret of the installation', () => {
  const make = () => 'a new secret of 32 characters or more';

  test('is created at the first start, and read at the next', async () => {
    expect(await installationSecret(dataDir, make)).toBe(make());
    expect(await installationSecret(dataDir, () => 'another one')).toBe(make());
  });

  test('is readable by its owner only', async () => {
    await installationSecret(dataDir, make);
    expect([await modeOf(join(dataDir, 'secret')), await modeOf(dataDir)]).toEqual([0o600, 0o700]);
  });

  test('is the same for processes that start at the same time', async () => {
    let count = 0;
    const makes = () => `secret number ${++count} of several that were made at once`;
    const secrets = await Promise.all(Array.from({ length: 20 }, () => installationSecret(dataDir, makes)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^secret number/);
  });

  test.each([
    ['empty', ''],
    ['blank', '\n'],
    ['cut short', 'a new'],
  ])('is never taken from a file that is %s: a crash may have left it', async (_, text) => {
    await installationSecret(dataDir, make);
    await writeFile(join(dataDir, 'secret'), text);
    const secret = await installationSecret(dataDir, make).catch(() => 'refused');
    expect(['refused', make()]).toContain(secret);
  });

  test('is written without a leftover temporary file', async () => {
    await Promise.all([installationSecret(dataDir, make), installationSecret(dataDir, make)]);
    expect(await readdir(dataDir)).toEqual(['secret']);
  });
});

describe('the key file', () => {
  test('is read as it was written', async () => {
    await writeKeyFile(dataDir, content);
    expect(await readKeyFile(dataDir)).toEqual(content);
  });

  test('control 98: is readable by its owner only, also when an existing file had wider permissions', async () => {
    await writeKeyFile(dataDir, content);
    const path = join(dataDir, 'keys.json');
    await chmod(path, 0o644);
    await writeKeyFile(dataDir, content);
    expect(await modeOf(path)).toBe(0o600);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['half written', '{"projects": {'],
    ['of another form', '{"projects": []}'],
  ])('a file that is %s counts as none', async (_, text) => {
    if (text !== undefined) {
      await writeKeyFile(dataDir, content);
      await writeFile(join(dataDir, 'keys.json'), text);
    }
    expect(await readKeyFile(dataDir)).toBeUndefined();
  });

  test('control 98: leaves nothing of its content in the folder when it cannot be written', async () => {
    // A folder in its place: the write fails after the content is in a temporary file.
    await mkdir(join(dataDir, 'keys.json'), { recursive: true });
    await expect(writeKeyFile(dataDir, content)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(dataDir)).toEqual(['keys.json']);
  });

  test('is written without a leftover temporary file', async () => {
    await writeKeyFile(dataDir, content);
    await writeKeyFile(dataDir, content);
    expect(await readdir(dataDir)).toEqual(['keys.json']);
  });
});
