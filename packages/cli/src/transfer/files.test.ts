import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTerminal } from '../test/terminal.ts';
import { environmentOf, type FullProject, openFullProject, otherSecret, withPassphrase } from './transfer.fixtures.ts';

let server: FullProject['server'];
let here: FullProject['here'];
let folder: FullProject['folder'];
let whole: FullProject['whole'];
let exportToFile: FullProject['exportToFile'];
/** A database in which no import succeeds. */
let untouched: TestDatabase;
beforeAll(async () => {
  ({ server, here, folder, whole, exportToFile } = await openFullProject());
  untouched = await createTestDatabase();
});
afterAll(async () => {
  await untouched.drop();
  await server.stop();
});

test('an export does not write to a file or a link that another user has prepared', async () => {
  const file = join(folder, 'shared.jsonl');
  const prepared = join(folder, 'prepared');
  writeFileSync(prepared, 'unchanged', { mode: 0o666 });
  symlinkSync(prepared, `${file}.part`);
  expect(await here.run('export', '--output', file)).toMatchObject({ code: 0 });
  expect(readFileSync(prepared, 'utf8')).toBe('unchanged');
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
});

test('an export does not overwrite an existing file', async () => {
  expect(await here.run('export', '--output', whole)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  });
});

test('an export with --data-dir takes the project of the keys in that folder', async () => {
  const terminal = openTerminal(environmentOf(server.database, server.secret));
  const ran = await terminal.run('export', '--data-dir', server.dataDir, '--output', 'demo.jsonl', '--json');
  expect(ran).toMatchObject({ code: 0, json: { projectId: server.demo } });
});

test.each([
  ['of an export in a folder that does not exist', ['export', '--output', 'nowhere/shop.jsonl'], 'There is no folder'],
  ['of an import that is a folder', ['import', '.'], 'is a folder'],
  ['of a restore that is a folder', ['restore', '.', ...withPassphrase], 'is a folder'],
])('the file %s is refused with a sentence', async (_, args, sentence) => {
  const ran = await here.run(...args);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(ran.stderr).not.toContain('    at ');
});

test('export writes to standard output, and import reads from standard input', async () => {
  const { stdout } = await here.run('export', ...withPassphrase);
  const there = await createTestDatabase();
  const terminal = openTerminal(environmentOf(there, otherSecret), { stdin: Readable.from([stdout]) });
  expect(await terminal.run('import', '-', ...withPassphrase)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with 2 users'),
  });
  await there.drop();
});

test.each<[string, (lines: string[]) => string[], string]>([
  ['without its end line', lines => lines.slice(0, -1), 'the end line is missing'],
  [
    'with a missing row',
    lines => lines.filter(line => !line.includes('"credential_id":"cred"')),
    'it has 0 of 1 rows of passkeys',
  ],
  ['with a line that is not JSON', lines => lines.with(3, '{"row":'), 'Line 4'],
  ['with lines after its end line', lines => [...lines, '{"row":{}}'], 'after the end line'],
  [
    'with an unknown table',
    lines => lines.map(line => line.replace('"table":"teams"', '"table":"crews"')),
    'newer version',
  ],
  [
    'with an unknown column',
    lines => lines.map(line => line.replace('["credential_id"', '["aura","credential_id"')),
    'newer version',
  ],
  [
    'with a value of the wrong type',
    lines => lines.map(line => line.replace('"counter":7', '"counter":"many"')),
    'the database refused a row',
  ],
  ['of another format', () => ['{"format":"zip"}'], 'not an export'],
  ['of a later version', lines => lines.with(0, '{"format":"tessera-project","version":2,"vault":null}'), 'version 2'],
  ['that is empty', () => [], 'it is empty'],
])('the import of a file %s is refused and stores nothing', async (_, damage, sentence) => {
  const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
  const file = join(folder, 'damaged.jsonl');
  writeFileSync(
    file,
    damage(lines)
      .map(line => `${line}\n`)
      .join(''),
  );
  const ran = await openTerminal(environmentOf(untouched, otherSecret)).run('import', file, ...withPassphrase);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(await untouched.query('select id from projects')).toEqual([]);
});

test('a missing migration, file, project or database is named in the error', async () => {
  const there = await createTestDatabase({ isEmpty: true });
  const terminal = openTerminal(environmentOf(there, otherSecret));
  const file = await exportToFile(here);
  expect(await terminal.run('import', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tessera migrate'),
  });
  expect(await terminal.run('import', 'nowhere.jsonl')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no file'),
  });
  expect(await here.run('export', '--project', randomUUID())).toMatchObject({
    code: 1,
    stdout: expect.any(String),
    stderr: expect.stringContaining('no project'),
  });
  expect(await here.run('export', '--json')).toMatchObject({ code: 2 });
  expect(await openTerminal({}).run('export')).toMatchObject({ code: 2 });
  expect(await openTerminal({ TESSERA_PROJECT_ID: 'p' }).run('export')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_URL'),
  });
  await there.drop();
});
