import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runNpm } from '../setup/processes.mjs';
import { findTypeProblems } from './type-problems.mjs';

// The compiler starts from zero for each package, and test machines are slow.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'tessera-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry = { types: './dist/index.d.ts', default: './dist/index.js' };

async function pack(name, files, exports = { '.': entry }) {
  const source = join(folder, name);
  const manifest = { name, version: '1.0.0', type: 'module', exports };
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  await runNpm(['pack', '--silent', '--ignore-scripts'], { cwd: source });
  return join(
    source,
    readdirSync(source).find(file => file.endsWith('.tgz')),
  );
}

test('a package of ES modules with types has no problems', async () => {
  const tarball = await pack('sound', {
    'dist/index.js': "export { one } from './one.js';",
    'dist/index.d.ts': "export { one } from './one.js';",
    'dist/one.js': 'export const one = 1;',
    'dist/one.d.ts': 'export declare const one = 1;',
  });
  expect(await findTypeProblems(tarball)).toEqual([]);
});

test('types that cannot be resolved and an entry point without types are reported', async () => {
  const lost = await pack('lost', {
    'dist/index.js': 'export const one = 1;',
    'dist/index.d.ts': "export { one } from './one';",
  });
  expect(await findTypeProblems(lost)).toEqual([expect.stringContaining('InternalResolutionError')]);

  const code = { 'dist/index.js': 'export const one = 1;', 'dist/index.d.ts': 'export declare const one = 1;' };
  const half = await pack('half', { ...code, 'dist/two.js': '' }, { '.': entry, './two': './dist/two.js' });
  expect(await findTypeProblems(half)).toEqual(
    expect.arrayContaining([expect.stringContaining('UntypedResolution (./two, bundler)')]),
  );
});

test('a type that compilers before 5.7 do not know is reported', async () => {
  const tarball = await pack('new', {
    'dist/index.js': 'export const bytes = new Uint8Array();',
    'dist/index.d.ts': 'export declare const bytes: Uint8Array<ArrayBuffer>;',
  });
  expect(await findTypeProblems(tarball)).toEqual([expect.stringContaining('NewGeneric')]);
});

test('a program without types is accepted', async () => {
  expect(await findTypeProblems(await pack('program', { 'dist/index.js': 'export {};' }))).toEqual([]);
});
