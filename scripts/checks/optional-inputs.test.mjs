import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { listEntryPoints } from '../setup/entry-points.mjs';
import { root } from '../setup/workspace.mjs';
import { findStrictOptionals } from './optional-inputs.mjs';

// Each test starts a compiler, and test machines are slow.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'tessera-optional-inputs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('optional members of parameters that refuse undefined are found, also in the methods of a result', () => {
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `interface User {
       readonly name?: string;
       update(changes: { name?: string; age?: number | undefined; links: { home?: string }[] }): void;
     }
     export declare function getUser(options?: Partial<{ or: 'throw' }>): Promise<User>;`,
  );
  expect(findStrictOptionals([entry]).map(line => line.replace(/^.*entry\.ts:/, ''))).toEqual([
    '3: home',
    '3: name',
    '5: or',
  ]);
});

test('an app with exactOptionalPropertyTypes can pass undefined for every optional input of the SDK', () => {
  const files = ['packages/client', 'packages/react'].flatMap(folder =>
    Object.entries(listEntryPoints(join(root, folder)))
      // Apps do not import the entry point for our own packages.
      .filter(([name]) => name !== 'internals')
      .map(([, source]) => join(root, folder, source)),
  );
  expect(findStrictOptionals(files)).toEqual([]);
});
