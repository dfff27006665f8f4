import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createLog,
  installationSecret,
  type RunningServer,
  randomSecret,
  readSettings,
  replaceInstallationSecret,
  run,
} from '@tessera/server';
import { internalKeySettings } from '@tessera/testing/call';
import { asAdministrator, connectionString, createTestDatabase, type TestPostgres } from '@tessera/testing/database';
import { debianPostgresFolder, hasDebianPostgres, startDebianPostgres } from '@tessera/testing/debian-postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encryptBackup } from '../../backup/encrypted-file.ts';
import { dumpDatabase } from '../../backup/postgres-tools.ts';
import type { DatabaseSecrets } from '../../database/secrets.ts';
import { temporaryFolder } from '../../test/folders.ts';
import { openTerminal } from '../../test/terminal.ts';

// The test starts a PostgreSQL and three servers.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = 'the secret of an installation with a backup';
const nextSecret = 'the next secret of an installation with a backup';
const passphrase = 'a passphrase for this test';
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };

let postgres: TestPostgres;
let stop: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  if (!hasDebianPostgres) return;
  ({ postgres, stop } = await startDebianPostgres());
});
afterAll(() => stop());

async function createDatabase(name: string): Promise<string> {
  await asAdministrator(postgres, client => client.query(`create database ${name} template template0`));
  return connectionString({ ...postgres, database: name });
}

async function withServer<T>(
  url: string,
  given: string | DatabaseSecrets,
  work: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const { secret, previousSecret } = typeof given === 'string' ? { secret: given } : given;
  const environment = {
    ...internalKeySettings,
    PORT: '0',
    TESSERA_MODE: 'development',
    TESSERA_PUBLIC_URL: 'http://localhost:4280',
    TESSERA_DATA_DIR: temporaryFolder(),
    DATABASE_URL: url,
    TESSERA_SECRET: secret,
    TESSERA_PREVIOUS_SECRET: previousSecret,
  };
  const server = await run(readSettings(environment), createLog({ level: 'silent' }));
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function post(server: RunningServer, path: string, body: object, headers = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': 'internal',
      'x-stack-publishable-client-key': internalKeySettings.TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const terminalOf = (url: string, more: Record<string, string> = {}) =>
  openTerminal({ DATABASE_URL: url, PATH: debianPostgresFolder, PASSPHRASE: passphrase, ...more });

test.skipIf(!hasDebianPostgres)('an installation continues from a backup: password, session and secret', async () => {
  const folder = temporaryFolder();
  const [file, secretFile] = [join(folder, 'tessera.backup'), join(folder, 'secret.txt')];
  const url = await createDatabase('original');
  const refreshToken = await withServer(url, secret, async server => {
    const body = { ...account, verification_callback_url: 'http://localhost:3000/verify' };
    const answer = await post(server, '/auth/password/sign-up', body);
    return ((await answer.json()) as { refresh_token: string }).refresh_token;
  });

  const backup = await terminalOf(url, { TESSERA_SECRET: secret }).run(
    'backup',
    file,
    '--passphrase-env',
    'PASSPHRASE',
  );
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes('ada@example.com')).toBe(false);

  const copy = await createDatabase('restored');
  const args = ['restore', file, '--passphrase-env', 'PASSPHRASE', '--secret-output', secretFile];
  expect(await terminalOf(copy).run(...args)).toMatchObject({ code: 0, stderr: '' });
  await withServer(copy, readFileSync(secretFile, 'utf8').trim(), async server => {
    expect((await post(server, '/auth/password/sign-in', account)).status).toBe(200);
    const headers = { 'x-stack-refresh-token': refreshToken };
    expect((await post(server, '/auth/sessions/current/refresh', {}, headers)).status).toBe(200);
  });

  expect(await terminalOf(copy, { TESSERA_SECRET: secret }).run(...args)).toMatchObject({
    code: 1,
    stderr: 'The database is not empty. Restore into a new database; nothing was changed.\n',
  });
});

const signUp = (server: RunningServer, email: string) =>
  post(server, '/auth/password/sign-up', {
    ...account,
    email,
    verification_callback_url: 'http://localhost:3000/verify',
  });

test.skipIf(!hasDebianPostgres)(
  'control 99: a backup that is written during a change of the secret is restored with both secrets, and a server starts on it',
  async () => {
    const folder = temporaryFolder();
    const [file, secretFile] = [join(folder, 'tessera.backup'), join(folder, 'secret.txt')];
    const url = await createDatabase('changing');
    await withServer(url, secret, server => signUp(server, 'ada@example.com'));
    const both = { TESSERA_SECRET: nextSecret, TESSERA_PREVIOUS_SECRET: secret };
    await withServer(url, { secret: nextSecret, previousSecret: secret }, server => signUp(server, 'bob@example.com'));
    const backup = ['backup', file, '--passphrase-env', 'PASSPHRASE'];
    expect(await terminalOf(url, both).run(...backup)).toMatchObject({ code: 0, stderr: '' });

    const copy = await createDatabase('changed');
    const args = ['restore', file, '--passphrase-env', 'PASSPHRASE'];
    expect(await terminalOf(copy, { TESSERA_SECRET: nextSecret }).run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TESSERA_PREVIOUS_SECRET is not its previous secret'),
    });
    expect(await terminalOf(copy).run(...args, '--secret-output', secretFile)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('its secret and its previous secret (TESSERA_PREVIOUS_SECRET)'),
      stderr: '',
    });
    const [restored, restoredPrevious] = [secretFile, `${secretFile}.previous`].map(path =>
      readFileSync(path, 'utf8').trim(),
    );
    expect([restored, restoredPrevious]).toEqual([nextSecret, secret]);
    await withServer(copy, { secret: nextSecret, previousSecret: secret }, async server => {
      for (const email of ['ada@example.com', 'bob@example.com']) {
        expect((await post(server, '/auth/password/sign-in', { ...account, email })).status).toBe(200);
      }
    });
    expect(await terminalOf(copy, both).run('rotate-secret', '--json')).toMatchObject({
      code: 0,
      json: { isComplete: true, unreadable: {}, reencrypted: { 'sent_mails.subject': expect.any(Number) } },
    });
    await withServer(copy, nextSecret, async server => {
      expect((await post(server, '/auth/password/sign-in', account)).status).toBe(200);
    });
  },
);

test.skipIf(!hasDebianPostgres)(
  'a restored database that does not fit the secret of its backup is reported',
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'tessera.backup');
    const url = await createDatabase('misfit');
    await withServer(url, secret, () => Promise.resolve());
    const env = { PATH: debianPostgresFolder };
    const dump = dumpDatabase({ connection: { connectionString: url }, env, signal: new AbortController().signal });
    // As earlier releases wrote it.
    async function* content() {
      yield Buffer.from(`${JSON.stringify({ secret: nextSecret, createdAt: '2026-01-15T12:00:00.000Z' })}\n`);
      yield* dump;
    }
    writeFileSync(file, await buffer(encryptBackup(content(), passphrase)));
    const copy = terminalOf(await createDatabase('misfit_copy'), { TESSERA_SECRET: nextSecret });
    expect(await copy.run('restore', file, '--passphrase-env', 'PASSPHRASE')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('it was encrypted under another secret than the one in the backup'),
    });
  },
);

test.each([
  ['a wrong secret', { TESSERA_SECRET: 'a third secret, which no server of it knows' }],
  ['the next secret without the one that encrypts the database', { TESSERA_SECRET: nextSecret }],
])('backup with %s writes nothing', async (_, env) => {
  const folder = temporaryFolder();
  const database = await createTestDatabase({ isEmpty: true });
  await withServer(database.url, secret, () => Promise.resolve());
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho dump\n', { mode: 0o755 });
  const args = ['backup', join(folder, 'tessera.backup'), '--passphrase-env', 'PASSPHRASE'];
  expect(await terminalOf(database.url, { ...env, PATH: folder }).run(...args)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The secret is not the one that the database was encrypted under.*\n$/),
  });
  expect(readdirSync(folder)).toEqual(['pg_dump']);
  await database.drop();
});

test('control 99: both secrets of a data folder are in its backup, and restored to another data folder', async () => {
  const folder = temporaryFolder();
  const [source, target] = [join(folder, 'source'), join(folder, 'target')];
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho dump\n', { mode: 0o755 });
  writeFileSync(join(folder, 'pg_restore'), '#!/bin/sh\nexec /bin/cat\n', { mode: 0o755 });
  const file = join(folder, 'tessera.backup');
  const terminal = (dataDir: string) =>
    openTerminal({ TESSERA_DATA_DIR: dataDir, PATH: folder, PASSPHRASE: passphrase });
  try {
    await terminal(source).run('migrate');
    const previous = await installationSecret(source, randomSecret);
    // The rotation is interrupted here.
    await replaceInstallationSecret(source, randomSecret);
    const args = [file, '--passphrase-env', 'PASSPHRASE'];
    expect(await terminal(source).run('backup', ...args)).toMatchObject({ code: 0, stderr: '' });
    expect(await terminal(target).run('restore', ...args)).toMatchObject({ code: 0, stderr: '' });
    const secrets = (dataDir: string) =>
      ['secret', 'previous-secret'].map(name => readFileSync(join(dataDir, name), 'utf8').trim());
    expect(secrets(target)).toEqual(secrets(source));
    expect(secrets(target)[1]).toBe(previous);
    expect(statSync(join(target, 'previous-secret')).mode & 0o777).toBe(0o600);
  } finally {
    // For root, the clusters are in other folders.
    for (const pointer of [source, target].map(dataDir => join(dataDir, 'postgres.json'))) {
      if (existsSync(pointer)) rmSync(JSON.parse(readFileSync(pointer, 'utf8')).cluster, { recursive: true });
    }
  }
});

test.skipIf(!hasDebianPostgres)('restore writes nothing from a damaged file or with another passphrase', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.backup');
  const url = await createDatabase('whole');
  await terminalOf(url).run('migrate');
  await terminalOf(url, { TESSERA_SECRET: secret }).run('backup', file, '--passphrase-env', 'PASSPHRASE');
  const check = ['restore', file, '--check', '--passphrase-env', 'PASSPHRASE'];
  expect(await terminalOf(url).run(...check)).toMatchObject({
    code: 0,
    stdout: `${file} is complete and unchanged. Only a restore shows that PostgreSQL accepts its dump, and that its secret fits.\n`,
  });

  const target = await createDatabase('untouched');
  const args = ['restore', file, '--passphrase-env', 'PASSPHRASE'];
  expect(await terminalOf(target).run(...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--secret-output'),
  });
  expect(await terminalOf(target, { PASSPHRASE: 'another passphrase' }).run(...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The passphrase is not the one'),
  });
  truncateSync(file, statSync(file).size - 100);
  expect(await terminalOf(target, { TESSERA_SECRET: secret }).run(...args)).toMatchObject({
    code: 1,
    stderr: 'The backup is damaged or incomplete. Nothing was restored.\n',
  });
  const tables = `select 1 from pg_tables where schemaname = 'public'`;
  const left = await asAdministrator({ ...postgres, database: 'untouched' }, client => client.query(tables));
  expect(left.rows).toEqual([]);
});

test('a failed backup leaves no file, and names the missing program', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.backup');
  const { inject } = await import('vitest');
  const url = connectionString(inject('postgres'));
  const env = { TESSERA_SECRET: secret, PATH: folder };
  expect(await terminalOf(url, env).run('backup', file, '--passphrase-env', 'PASSPHRASE')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pg_dump was not found'),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('restore runs again with the secret file of a failed run, and refuses a file with other content', async () => {
  const folder = temporaryFolder();
  const [file, secretFile] = [join(folder, 'tessera.backup'), join(folder, 'secret.txt')];
  const content = Buffer.from(`${JSON.stringify({ secret, createdAt: '2026-01-15T12:00:00.000Z' })}\ndump`);
  writeFileSync(file, await buffer(encryptBackup(Readable.from([content]), passphrase)));
  const database = await createTestDatabase({ isEmpty: true });
  const terminal = terminalOf(database.url, { PATH: folder });
  const args = ['restore', file, '--passphrase-env', 'PASSPHRASE', '--secret-output', secretFile];
  expect(await terminal.run(...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pg_restore was not found'),
  });
  expect(readFileSync(secretFile, 'utf8').trim()).toBe(secret);

  writeFileSync(join(folder, 'pg_restore'), '#!/bin/sh\nexec /bin/cat\n', { mode: 0o755 });
  expect(await terminal.run(...args)).toMatchObject({ code: 0, stderr: '' });

  writeFileSync(secretFile, 'another secret\n');
  expect(await terminal.run(...args)).toMatchObject({
    code: 1,
    stderr: `${secretFile} exists and holds something else. Choose another file for the secret; nothing was restored.\n`,
  });
  await database.drop();
});

test('a restore that cannot write the secret leaves no file, so that the next run can use the name', async () => {
  const folder = temporaryFolder();
  const [file, secretFile] = [join(folder, 'tessera.backup'), join(folder, 'secret.txt')];
  const content = Buffer.from(`${JSON.stringify({ secret, createdAt: '2026-01-15T12:00:00.000Z' })}\ndump`);
  writeFileSync(file, await buffer(encryptBackup(Readable.from([content]), passphrase)));
  const database = await createTestDatabase({ isEmpty: true });
  const program = fileURLToPath(new URL('../../../bin/tessera.js', import.meta.url));
  const args = ['restore', file, '--passphrase-env', 'PASSPHRASE', '--secret-output', secretFile];
  // The process may create files but not write to them, as on a full disk.
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program, ...args];
  const env = { DATABASE_URL: database.url, PATH: process.env.PATH, PASSPHRASE: passphrase };
  await expect(promisify(execFile)('sh', limited, { env })).rejects.toMatchObject({ code: 1 });
  expect(readdirSync(folder)).toEqual(['tessera.backup']);
  await database.drop();
});

test('a backup that is interrupted says so and leaves no file', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho dump\nexec /bin/sleep 600\n', { mode: 0o755 });
  const database = await createTestDatabase();
  const stop = new AbortController();
  const progress = () => ({ show: () => stop.abort(), end: () => undefined });
  const env = { DATABASE_URL: database.url, TESSERA_SECRET: secret, PASSPHRASE: passphrase, PATH: folder };
  const terminal = openTerminal(env, { signal: stop.signal, progress });
  const file = join(folder, 'tessera.backup');
  expect(await terminal.run('backup', file, '--passphrase-env', 'PASSPHRASE')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Stopped. No backup was written.\n',
  });
  expect(readdirSync(folder)).toEqual(['pg_dump']);
  await database.drop();
});

test('a restore that is interrupted says so', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.backup');
  const content = Buffer.from(`${JSON.stringify({ secret, createdAt: '2026-01-15T12:00:00.000Z' })}\ndump`);
  writeFileSync(file, await buffer(encryptBackup(Readable.from([content]), passphrase)));
  writeFileSync(join(folder, 'pg_restore'), '#!/bin/sh\nexec /bin/sleep 600\n', { mode: 0o755 });
  const database = await createTestDatabase({ isEmpty: true });
  const env = { DATABASE_URL: database.url, TESSERA_SECRET: secret, PASSPHRASE: passphrase, PATH: folder };
  const terminal = openTerminal(env, { signal: AbortSignal.abort() });
  expect(await terminal.run('restore', file, '--passphrase-env', 'PASSPHRASE')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Stopped. Nothing was restored.\n',
  });
  await database.drop();
});

test('a program that is older than the server fails with its own words, and what to install', async () => {
  const folder = temporaryFolder();
  const program = '#!/bin/sh\necho "pg_dump: error: aborting because of server version mismatch" >&2\nexit 1\n';
  writeFileSync(join(folder, 'pg_dump'), program, { mode: 0o755 });
  const connection = { connectionString: 'postgresql://db.example.com/tessera' };
  const dump = dumpDatabase({ connection, env: { PATH: folder }, signal: new AbortController().signal });
  await expect(dump.next()).rejects.toThrow(
    /version mismatch\nInstall the client programs of PostgreSQL.*apt\.postgresql\.org/,
  );
});

test.each([
  ['sslmode=no-verify', 'sslmode=require'],
  ['uselibpqcompat=true&sslmode=require', 'sslmode=require'],
  ['sslmode=verify-full', 'sslmode=verify-full'],
])('pg_dump gets %s of the server as %s', async (given, expected) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\nfor last in "$@"; do :; done\necho "$last"\n', { mode: 0o755 });
  const connection = { connectionString: `postgresql://db.example.com/tessera?${given}` };
  const dump = dumpDatabase({ connection, env: { PATH: folder }, signal: new AbortController().signal });
  const { value } = await dump.next();
  expect(String(value)).toBe(`postgresql://db.example.com/tessera?${expected}\n`);
});

test.each([
  ['postgresql://ada:a%2Fsecret@db.example.com/tessera', 'postgresql://ada@db.example.com/tessera'],
  ['postgresql://ada@db.example.com/tessera?password=a%2Fsecret', 'postgresql://ada@db.example.com/tessera'],
  [
    'postgresql://db.example.com/tessera?user=ada&password=a%2Fsecret&sslmode=require',
    'postgresql://db.example.com/tessera?user=ada&sslmode=require',
  ],
  ['postgresql://ada:other@db.example.com/tessera?password=a%2Fsecret', 'postgresql://ada@db.example.com/tessera'],
  ['postgresql://ada:a@secret@db.example.com/tessera', 'postgresql://ada@db.example.com/tessera', 'a@secret'],
  ['postgresql://ada:50%-secret@db.example.com/tessera', 'postgresql://ada@db.example.com/tessera', '50%-secret'],
  ['postgresql://ada@corp:a%2Fsecret@db.example.com/tessera', 'postgresql://ada%40corp@db.example.com/tessera'],
])(
  'the password of %s is not an argument of the program, which all users of the machine can read',
  async (url, shown, password = 'a/secret') => {
    const folder = temporaryFolder();
    const program = '#!/bin/sh\nfor one in "$@"; do echo "argument: $one"; done\necho "password: $PGPASSWORD"\n';
    writeFileSync(join(folder, 'pg_dump'), program, { mode: 0o755 });
    const connection = { connectionString: url };
    const chunks: Buffer[] = [];
    const signal = new AbortController().signal;
    for await (const chunk of dumpDatabase({ connection, env: { PATH: folder }, signal })) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    expect(lines.slice(-2)).toEqual([`argument: ${shown}`, `password: ${password}`]);
    expect(lines.filter(line => line.startsWith('argument:') && line.includes('secret'))).toEqual([]);
  },
);
