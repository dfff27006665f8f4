import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecrets } from '@tessera/server';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../test/folders.ts';
import { openTerminal } from '../test/terminal.ts';
import {
  decryptFile,
  environmentOf,
  type FullProject,
  openFullProject,
  otherSecret,
  passphrase,
  withPassphrase,
} from './transfer.fixtures.ts';

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

test('an export without a passphrase contains no secret and lists the consequences', async () => {
  const file = join(folder, 'open.jsonl');
  const ran = await here.run('export', '--output', file);
  expect(ran).toMatchObject({ code: 0 });
  for (const what of [
    'secrets of oauthProviders.github and emailConfig',
    '1 user with an authenticator app signs in',
    '1 webhook endpoint gets',
  ]) {
    expect(ran.stderr).toContain(what);
  }
  expect(readFileSync(file, 'utf8')).not.toMatch(/"secrets":|sealed[A-Z]/);

  const there = await createTestDatabase();
  const projectId = randomUUID();
  const imported = await openTerminal(environmentOf(there, otherSecret)).run(
    'import',
    file,
    '--project-id',
    projectId,
    '--json',
  );
  expect(imported).toMatchObject({ code: 0, json: { leftOut: expect.any(Array) } });
  const { leftOut } = imported.json as { leftOut: string[] };
  expect(leftOut.join('\n')).toContain('OAuth provider github');
  const [project] = await there.query('select config from projects where id = $1', [projectId]);
  expect(project?.config).toMatchObject({
    oauthProviders: [{ id: 'google', type: 'shared' }],
    emailConfig: { type: 'shared' },
  });
  const [endpoint] = await there.query('select secrets from webhook_endpoints where project_id = $1', [projectId]);
  const key = createSecrets(otherSecret)
    .decrypt('webhook secrets', endpoint?.secrets as Buffer)
    .toString();
  expect(key).toMatch(/whsec_/);
  expect(key).not.toContain('whsec_c2VjcmV0');
  await there.drop();
});

test('import --without-secrets leaves the secrets of the file out', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(environmentOf(there, otherSecret));
  expect(await terminal.run('import', whole)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--passphrase-env'),
  });
  const ran = await terminal.run('import', whole, '--without-secrets', '--json');
  expect(ran).toMatchObject({ code: 0 });
  expect((ran.json as { leftOut: string[] }).leftOut).toHaveLength(5);
  expect(await there.query('select id from users where totp_secret is not null')).toEqual([]);
  expect(await there.query('select id from oauth_tokens')).toEqual([]);
  await there.drop();
});

test('an import counts the missing secrets of a table over all of its lines, and only the rows that it stores', async () => {
  const there = await createTestDatabase();
  const lines = readFileSync(whole, 'utf8').split('\n');
  const end = JSON.parse(lines.find(line => line.startsWith('{"end"')) ?? '').end as Record<string, number>;
  const withTotp = lines.find(line => line.includes('"totp_secret":')) ?? '';
  const { row, secrets } = JSON.parse(withTotp);
  const others = Array.from({ length: 600 }, () => JSON.stringify({ row: { ...row, id: randomUUID() }, secrets }));
  const many = lines.flatMap(line => (line === withTotp ? [line, ...others] : [line]));
  const file = join(folder, 'many.jsonl');
  const counts = JSON.stringify({ end: { ...end, users: (end.users ?? 0) + others.length } });
  writeFileSync(file, many.map(line => (line.startsWith('{"end"') ? counts : line)).join('\n'));

  const terminal = openTerminal(environmentOf(there, otherSecret));
  const ran = await terminal.run('import', file, '--without-secrets', '--without-api-keys', '--json');
  const { leftOut, rows } = ran.json as { leftOut: string[]; rows: Record<string, number> };
  expect(leftOut.filter(sentence => sentence.includes('authenticator app'))).toEqual([
    '601 users with an authenticator app sign in without a second factor until they set it up again',
  ]);
  expect(rows).toMatchObject({ users: (end.users ?? 0) + others.length, oauth_tokens: 0, api_keys: 0 });
  expect(end).toMatchObject({ oauth_tokens: 1, api_keys: expect.any(Number) });
  await there.drop();
});

test('an import with another passphrase fails and stores nothing', async () => {
  const env = { ...environmentOf(untouched, otherSecret), PASSPHRASE: 'another passphrase' };
  expect(await openTerminal(env).run('import', whole, ...withPassphrase)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not the one'),
  });
  expect(await untouched.query('select id from projects')).toEqual([]);
});

test('an export with the wrong TESSERA_SECRET fails and leaves no file', async () => {
  const file = join(folder, 'never.jsonl');
  const terminal = openTerminal({ ...environmentOf(server.database, otherSecret), TESSERA_PROJECT_ID: server.demo });
  expect(await terminal.run('export', '--output', file, ...withPassphrase)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('TESSERA_SECRET'),
  });
  expect(readdirSync(folder).filter(name => name.startsWith('never'))).toEqual([]);
});

test('an import with the wrong TESSERA_SECRET fails and stores nothing', async () => {
  const projectId = randomUUID();
  const ran = await openTerminal(environmentOf(server.database, otherSecret)).run(
    ...['import', whole, '--project-id', projectId, ...withPassphrase],
  );
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/could not read what is imported.*TESSERA_SECRET.*Nothing was written/),
  });
  expect(await server.database.query('select id from projects where id = $1', [projectId])).toEqual([]);
});

test('an import into the embedded database of a data folder without a secret creates the secret', async () => {
  const dataDir = await makeDataFolder();
  try {
    const projectId = randomUUID();
    const terminal = openTerminal({
      TESSERA_DATA_DIR: dataDir,
      TESSERA_PROJECT_ID: projectId,
      PASSPHRASE: passphrase,
    });
    expect(await terminal.run('migrate')).toMatchObject({ code: 0 });
    expect(existsSync(join(dataDir, 'secret'))).toBe(false);
    const imported = await terminal.run('import', whole, '--project-id', projectId, ...withPassphrase);
    expect(imported).toMatchObject({ code: 0 });
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    const copy = await decryptFile(await exportToFile(terminal, ...withPassphrase));
    expect(JSON.stringify(copy)).toContain('totp secret');
  } finally {
    await removeDataFolder(dataDir);
  }
});

test('an export during a change of the secret reads both secrets of the data folder', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'secret'), `${otherSecret}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, 'previous-secret'), `${server.secret}\n`, { mode: 0o600 });
  const terminal = openTerminal({
    DATABASE_URL: server.database.url,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PROJECT_ID: server.demo,
    PASSPHRASE: passphrase,
  });
  const exported = await exportToFile(terminal, ...withPassphrase);
  // Meanwhile the server may have recorded the use of a key.
  const secretsOf = async (file: string) =>
    (await decryptFile(file)).filter(line => String(line).includes('"secrets":'));
  expect(await secretsOf(exported)).toEqual(await secretsOf(whole));
});
