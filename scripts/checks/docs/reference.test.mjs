import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../setup/workspace.mjs';
import { listUndocumented, readReference } from './reference.mjs';

/** The compiler starts from zero, and test machines are slow. */
const compileMs = 120_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tessera-reference-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = `
/** Described. */
export interface Shelf {
  /** Described. */
  readonly id: string;
  readonly width: number;
  /** Described. */
  open(options: { slowly: boolean }): { isOpen: boolean };
  close(): void;
}
export function build(): Shelf {
  throw new Error();
}
/** Described. */
export const wall = 1;
export const fence = 2;
`;

test('exports and members without a doc comment are found, and each export gets a page', {
  timeout: compileMs,
}, async () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/index.ts'), source);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, include: ['src'] }));
  const described = { folder, entryPoints: ['src/index.ts'] };
  const reference = await readReference(described);

  const at = line => `${relative(root, join(folder, 'src/index.ts'))}:${line}`;
  const [functions, members] = [
    [`${at(11)} build`, `${at(16)} fence`],
    [`${at(6)} width`, `${at(9)} close`],
  ];
  expect(await listUndocumented({ ...described, describesMembers: false }, reference)).toEqual(functions);
  const all = await listUndocumented({ ...described, describesMembers: true }, reference);
  expect(all).toEqual([...functions, ...members].sort());

  await reference.write(join(folder, 'pages'));
  expect(readFileSync(join(folder, 'pages/interfaces/Shelf.md'), 'utf8')).toContain('### width');
  expect(existsSync(join(folder, 'pages/functions/build.md'))).toBe(true);
});
