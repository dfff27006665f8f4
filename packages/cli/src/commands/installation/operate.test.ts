import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localCertificate } from '@tessera/testing/certificates';
import { createTestDatabase } from '@tessera/testing/database';
import { closedPort, freePort } from '@tessera/testing/free-port';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/folders.ts';
import { openTerminal } from '../../test/terminal.ts';

test('migrate lists the migrations, applies them, and finds none the second time', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const terminal = openTerminal({ DATABASE_URL: database.url });
  const dryRun = await terminal.run('migrate', '--dry-run', '--json');
  const { pending } = dryRun.json as { pending: string[] };
  expect(dryRun).toMatchObject({
    code: 0,
    stderr: '',
    json: { pending: expect.arrayContaining(['0001-foundation.sql']) },
  });
  expect(await terminal.run('migrate', '--json')).toMatchObject({ code: 0, stderr: '', json: { applied: pending } });
  expect(await terminal.run('migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  expect(await terminal.run('migrate', '--dry-run', '--json')).toMatchObject({ json: { pending: [] } });
  await database.drop();
});

test('migrate --distributed prints the distribution of every table, without a database', async () => {
  const terminal = openTerminal({ DATABASE_URL: `postgresql://tessera@127.0.0.1:${closedPort}/tessera` });
  const { code, stdout, stderr } = await terminal.run('migrate', '--distributed');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^-- Distribution of the Tessera schema by project/);
  const calls = [...stdout.matchAll(/^select create_distributed_table\('(\w+)', '(\w+)'/gm)];
  expect(calls[0]?.slice(1)).toEqual(['projects', 'id']);
  const json = (await terminal.run('migrate', '--distributed', '--json')).json as {
    tables: { table: string; placement: string; column?: string }[];
  };
  const distributed = json.tables.filter(({ placement }) => placement === 'distributed');
  expect(distributed.map(({ table, column }) => [table, column])).toEqual(calls.map(call => call.slice(1)));
  expect(json.tables).toContainEqual({ table: 'rate_limits', placement: 'local', reason: expect.any(String) });
});

test('migrate reports an unreachable DATABASE_URL', async () => {
  const url = `postgresql://tessera@127.0.0.1:${closedPort}/tessera`;
  const { code, stderr } = await openTerminal({ DATABASE_URL: url }).run('migrate');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The connection was refused \(.*\)\. Check that it runs, and check DATABASE_URL\.\n$/);
});

test('migrate names the missing file of a certificate', async () => {
  const url = 'postgresql://tessera@db.example/tessera?sslmode=verify-full&sslrootcert=/nowhere/ca.crt';
  const { code, stderr } = await openTerminal({ DATABASE_URL: url }).run('migrate');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^A file is missing \(.*'\/nowhere\/ca\.crt'\)\.\n$/);
});

/** PostgreSQL answers a request for TLS (the first bytes of a connection) with S or N. */
test.each([
  ['that has no TLS', 'N', /^DATABASE_URL asks for TLS, and the database has none\. .*\n$/],
  ['with an unknown authority', 'S', /^The certificate of the database is refused \(self-signed .*sslrootcert=.*\n$/],
  ['that closes the connection', '', /^The database closed the connection\. .*\n$/],
])('migrate reports a database %s in a sentence', async (_what, answer, sentence) => {
  const listener = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (answer !== 'S') return socket.end(answer);
      socket.write('S');
      return new TLSSocket(socket, { isServer: true, ...localCertificate }).on('error', () => undefined);
    });
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const query = answer === '' ? '' : '?sslmode=verify-full';
  const url = `postgresql://tessera@localhost:${port}/tessera${query}`;
  const { code, stderr } = await openTerminal({ DATABASE_URL: url }).run('migrate', '--dry-run');
  listener.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
});

test.each(['mysql://tessera@db.example/tessera', 'db.example:5432'])('migrate refuses DATABASE_URL=%s', async url => {
  const { code, stderr } = await openTerminal({ DATABASE_URL: url }).run('migrate');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'The URL of the database must start with postgresql://.\n' });
});

test('migrate names the characters that a password in DATABASE_URL must encode, and shows no password', async () => {
  const terminal = openTerminal({ DATABASE_URL: 'postgresql://tessera:pass/word#1@db.example/tessera' });
  const { code, stderr } = await terminal.run('migrate');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The URL of the database must be like [^\n]* %2F for \/, %23 for # and %3F for \?\.\n$/);
  expect(stderr).not.toContain('word#1');
});

test.each([
  ['backup', 'tessera.backup', '--passphrase-env', 'PASSPHRASE'],
  ['export', '--project', 'internal', '--output', 'project.jsonl'],
  ['migrate', '--dry-run'],
  ['rotate-secret'],
  ['seed'],
])('%s refuses a data folder without a database, and creates none', async (...args) => {
  const folder = temporaryFolder();
  const env = { TESSERA_DATA_DIR: folder, PASSPHRASE: 'a passphrase for this test' };
  expect(await openTerminal(env).run(...args)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `There is no database in the data folder ${folder}. Set DATABASE_URL, or pass --data-dir.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('start runs the server until it is stopped', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const port = await freePort();
  const stop = new AbortController();
  const stdout = new PassThrough();
  const folder = temporaryFolder();
  const env = { DATABASE_URL: database.url, TESSERA_MODE: 'development' };
  const running = openTerminal(env, { stdout, signal: stop.signal }).run(
    'start',
    '--port',
    String(port),
    '--data-dir',
    folder,
  );
  await new Promise<void>(resolve => {
    stdout.on('data', chunk => String(chunk).includes('"listening"') && resolve());
  });
  const health = await fetch(`http://localhost:${port}/health`);
  expect(await health.json()).toEqual({ status: 'ok' });
  expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')).url).toBe(`http://localhost:${port}`);
  stop.abort();
  expect(await running).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(`http://localhost:${port}/health`)).rejects.toThrow();
  await database.drop();
});

test('start ends at a stop while it waits for the database', async () => {
  const url = `postgresql://tessera@127.0.0.1:${closedPort}/tessera`;
  const stop = new AbortController();
  const stdout = new PassThrough();
  const env = { DATABASE_URL: url, TESSERA_MODE: 'development', PORT: String(await freePort()) };
  const terminal = openTerminal(env, { stdout, signal: stop.signal });
  stdout.on('data', chunk => String(chunk).includes('waiting for the database') && stop.abort());
  expect(await terminal.run('start')).toMatchObject({ code: 0, stderr: '' });
});

test('start reports invalid settings', async () => {
  const env = { DATABASE_URL: 'postgresql://localhost/tessera', PORT: 'http' };
  expect(await openTerminal(env).run('start')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PORT must be'),
  });
  expect(await openTerminal(env).run('start', '--port', '70000')).toMatchObject({ code: 2 });
});

test('the program runs through a symbolic link with the memory options of its first line', async () => {
  const link = join(temporaryFolder(), 'tessera');
  symlinkSync(new URL('../../../bin/tessera.js', import.meta.url), link);
  // The program shows none of its options. A script that Node loads before it prints them, and ends the process.
  const script = fileURLToPath(new URL('../../test/print-start.cjs', import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: `--require=${script}` };
  const { stdout } = await promisify(execFile)(link, ['users', 'list'], { env });
  expect(JSON.parse(stdout)).toEqual({
    node: ['--max-semi-space-size=4', '--min-semi-space-size=4'],
    program: ['users', 'list'],
    arenas: '1',
  });
});

test('a command whose output does not fit the disk exits with 1', async () => {
  const program = fileURLToPath(new URL('../../../bin/tessera.js', import.meta.url));
  const command = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, program, 'migrate', '--distributed'];
  const env = { PATH: process.env.PATH };
  await expect(promisify(execFile)('sh', command, { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'The disk is full. Free some space and try again.\n',
  });
});

test('a command whose reader ends early exits with 0', async () => {
  const program = fileURLToPath(new URL('../../../bin/tessera.js', import.meta.url));
  const line = '{ "$@"; echo "code $?" >&2; } | true';
  const command = ['-c', line, 'sh', process.execPath, program, 'migrate', '--distributed'];
  const { stderr } = await promisify(execFile)('sh', command, { env: { PATH: process.env.PATH } });
  expect(stderr).toBe('code 0\n');
});
