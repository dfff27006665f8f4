import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { transpile } from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clusterFolder, type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts';
import { readPidFile } from './pid-file.ts';

// Each test creates a cluster, which takes a second on an idle machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const isRoot = process.getuid?.() === 0;
const isWindows = process.platform === 'win32';

let temporary: string;
let dataDir: string;
let location: string;
let cluster: string;
const log: string[] = [];
const servers: EmbeddedPostgres[] = [];
const processes: ChildProcess[] = [];

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), 'tessera-test-')));
  dataDir = join(temporary, 'data');
  location = clusterFolder(dataDir);
  cluster = join(location, 'data');
  log.length = 0;
});

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await Promise.all(servers.splice(0).map(server => server.stop()));
  const folders = [temporary, location, clusterFolder(join(temporary, 'copy'))];
  // The PostgreSQL of a killed process may still write files while its folder is removed.
  await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true, maxRetries: 10 })));
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, log: message => log.push(message) });
  servers.push(server);
  return server;
}

async function query(server: Pick<EmbeddedPostgres, 'connection'>, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  const found = await readPidFile(cluster);
  if (!found) throw new Error('there is no postmaster.pid');
  return found.pid;
}

/** The launcher as plain JavaScript, because a separate process runs without vitest. */
let compiled: string;

beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'tessera-compiled-'));
  const names = (await readdir(import.meta.dirname)).filter(name => name.endsWith('.ts') && !name.includes('.test.'));
  for (const name of names) {
    const source = await readFile(join(import.meta.dirname, name), 'utf8');
    const script = transpile(source, { target: 10, module: 99, rewriteRelativeImportExtensions: true });
    await writeFile(join(compiled, name.replace('.ts', '.js')), script);
  }
  await writeFile(join(compiled, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(compiled, 'start.js'),
    `import { startEmbeddedPostgres } from './index.js';
     const { connection } = await startEmbeddedPostgres({ dataDir: process.argv[2] });
     process.stdout.write(JSON.stringify(connection));
     process.stdin.resume();
     process.stdin.once('end', () => process.exit());`,
  );
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(compiled, 'node_modules'), 'junction');
});

afterAll(() => rm(compiled, { recursive: true }));

async function startInProcess(): Promise<{ child: ChildProcess; connection: EmbeddedPostgres['connection'] }> {
  const child = spawn(process.execPath, [join(compiled, 'start.js'), dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  processes.push(child);
  if (!child.stdout) throw new Error('the process has no output');
  const [connection] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return { child, connection: JSON.parse(String(connection)) };
}

test('rows are kept over a stop and a second start', async () => {
  const first = await start();
  await query(first, "create table notes (text text); insert into notes values ('kept')");
  await first.stop();

  const second = await start();
  expect(await query(second, 'select text from notes')).toEqual([{ text: 'kept' }]);
  expect(log).toEqual(['made a new database']);
});

test('cluster and log are at the returned path', async () => {
  const server = await start();
  expect(server.folder).toBe(location);
  expect(await readdir(location)).toEqual(expect.arrayContaining(['data', 'postgres.log']));
});

test('the url and the connection lead to the same database', async () => {
  const server = await start();
  const client = new pg.Client(server.url);
  await client.connect();
  expect((await client.query('select current_database(), current_user')).rows).toEqual([
    { current_database: 'tessera', current_user: 'tessera' },
  ]);
  await client.end();
});

test('the server settings have durable writes, little memory and support for all languages', async () => {
  const server = await start();
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'jit', 'random_page_cost', 'shared_buffers'];
  const settings = [...names, 'max_connections', 'TimeZone', 'server_encoding', 'data_checksums', 'allow_alter_system'];
  const rows = await query(
    server,
    `select json_object_agg(name, current_setting(name)) as values from unnest('{${settings}}'::text[]) as name`,
  );
  expect(rows).toEqual([
    {
      values: {
        fsync: 'on',
        full_page_writes: 'on',
        synchronous_commit: 'on',
        jit: 'off',
        random_page_cost: '1.1',
        shared_buffers: '128MB',
        max_connections: '50',
        TimeZone: 'UTC',
        server_encoding: 'UTF8',
        data_checksums: 'on',
        allow_alter_system: 'off',
      },
    },
  ]);
});

test('trigram search matches non-ASCII letters', async () => {
  const server = await start();
  await query(server, 'create extension pg_trgm');
  expect(
    await query(server, "select lower('ÄЁΩ') as lower, 'Ä' ilike 'ä' as ilike, show_trgm('Ёлка') <> '{}' as trigrams"),
  ).toEqual([{ lower: 'äёω', ilike: true, trigrams: true }]);
});

test.skipIf(isWindows)('the server listens only on a socket in a folder that no other account can access', async () => {
  const server = await start();
  expect(await query(server, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect(await readdir(server.connection.host)).toEqual(['.s.PGSQL.5432', '.s.PGSQL.5432.lock']);
});

test('a second process on the same data folder is refused', async () => {
  const { connection } = await startInProcess();
  await expect(start()).rejects.toMatchObject({ code: 'IN_USE' });
  expect(await query({ connection }, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a second start in the same process is refused, also under another path of the folder', async () => {
  await start();
  await symlink(dataDir, join(temporary, 'link'), 'junction');
  await expect(start(join(temporary, 'link'))).rejects.toMatchObject({ code: 'IN_USE' });
});

test('the server of a killed process is stopped, and its rows are kept', async () => {
  const { child, connection } = await startInProcess();
  await query({ connection }, "create table notes (text text); insert into notes values ('kept')");
  const orphan = await postmasterPid();
  child.kill('SIGKILL');
  await once(child, 'exit');

  const server = await start();
  expect(await query(server, 'select text from notes')).toEqual([{ text: 'kept' }]);
  expect(await postmasterPid()).not.toBe(orphan);
  expect(log).toEqual(['stopping the PostgreSQL that an earlier Tessera left running']);
});

test('no acknowledged write is lost when PostgreSQL is killed', async () => {
  const first = await start();
  await query(first, 'create table numbers (number int)');
  for (let number = 1; number <= 50; number += 1) await query(first, `insert into numbers values (${number})`);
  process.kill(await postmasterPid(), 'SIGKILL');
  await first.stop();

  const second = await start();
  expect(await query(second, 'select count(*)::int, max(number) from numbers')).toEqual([{ count: 50, max: 50 }]);
});

test.skipIf(isWindows)('a server that is killed is restarted', async () => {
  const server = await start();
  await query(server, "create table notes as select 'kept' as text");
  process.kill(await postmasterPid(), 'SIGKILL');
  await vi.waitFor(() => expect(log).toContain('PostgreSQL runs again'), { timeout: 20_000 });
  expect(await query(server, 'select text from notes')).toEqual([{ text: 'kept' }]);
});

test.skipIf(isWindows)('a start waits for a backend that outlives a killed server', async () => {
  const first = await start();
  const busy = new pg.Client(first.connection);
  busy.on('error', () => {});
  await busy.connect();
  const answer = busy.query("select count(*)::int from generate_series(1, 3000000) as n where 'a' || n = 'b'");
  process.kill(await postmasterPid(), 'SIGKILL');
  await first.stop();

  const second = await start();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect((await answer).rows).toEqual([{ count: 0 }]);
  await busy.end();
});

test.skipIf(isWindows)(
  'a start succeeds when another process has the process id of a server that was killed',
  async () => {
    const first = await start();
    process.kill(await postmasterPid(), 'SIGKILL');
    await first.stop();
    const { uid, gid } = await stat(cluster);
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    processes.push(stranger);
    const pidFile = join(cluster, 'postmaster.pid');
    await writeFile(pidFile, (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(stranger.pid)));

    const second = await start();
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBe(null);
  },
);

test('a first start that was killed is repeated', async () => {
  const unfinished = join(location, 'data.new-0badc0de');
  await mkdir(join(unfinished, 'base'), { recursive: true });
  await writeFile(join(unfinished, 'PG_VERSION'), '18\n');

  const server = await start();
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await readdir(location)).not.toContain('data.new-0badc0de');
});

test('a cluster of another version is refused and not changed', async () => {
  await (await start()).stop();
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toMatchObject({ code: 'OTHER_VERSION', message: expect.stringContaining('export') });
  expect(await readFile(join(cluster, 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('a server that does not start reports the cause and releases the data folder', async () => {
  await (await start()).stop();
  const control = join(cluster, 'global/pg_control');
  await rename(control, `${control}.gone`);
  await expect(start()).rejects.toMatchObject({
    code: 'START_FAILED',
    message: expect.stringContaining('pg_control'),
  });
  await rename(`${control}.gone`, control);
  await start();
});

test('a second stop does nothing', async () => {
  const server = await start();
  await Promise.all([server.stop(), server.stop()]);
  expect(await readPidFile(cluster)).toBe(undefined);
});

test.skipIf(isWindows)('a process that exits without a stop ends its server', async () => {
  const { child } = await startInProcess();
  child.stdin?.end();
  await once(child, 'exit');

  const server = await start();
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)('a copied data folder is refused, because it points to the database of the original', async () => {
  await (await start()).stop();
  const copy = join(temporary, 'copy');
  await cp(dataDir, copy, { recursive: true });
  await expect(start(copy)).rejects.toMatchObject({
    code: 'POINTER_MISMATCH',
    message: expect.stringContaining(dataDir),
  });
});

test.runIf(isRoot)('a data folder whose database is missing is refused, not started with an empty one', async () => {
  await (await start()).stop();
  await rename(cluster, join(location, 'elsewhere'));
  await expect(start()).rejects.toMatchObject({ code: 'CLUSTER_MISSING' });
});

test.runIf(isRoot)('the database of a deleted data folder is set aside for a new one', async () => {
  const first = await start();
  await query(first, 'create table notes (text text)');
  await first.stop();
  await rm(dataDir, { recursive: true });

  const second = await start();
  expect(await query(second, "select to_regclass('notes') as notes")).toEqual([{ notes: null }]);
  expect(await readdir(location)).toContainEqual(expect.stringMatching(/^data\.aside-\d+$/));
});

test.runIf(isRoot)('root and other accounts cannot open the databases of each other', async () => {
  await mkdir(join(dataDir, 'postgres/data'), { recursive: true });
  await expect(start()).rejects.toMatchObject({ code: 'OTHER_ACCOUNT' });
});

test.skipIf(isRoot || isWindows)(
  'a data folder with a path too long for a socket has its socket elsewhere',
  async () => {
    const long = join(dataDir, 'a'.repeat(100));
    const server = await start(long);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
    await server.stop();
    await expect(stat(server.connection.host)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.skipIf(isRoot || isWindows)('a start on a read-only data folder fails with NO_PERMISSION', async () => {
  await mkdir(dataDir, { mode: 0o500 });
  await expect(start()).rejects.toMatchObject({ code: 'NO_PERMISSION', message: expect.stringContaining(dataDir) });
});

test.runIf(process.platform === 'linux')(
  'a start below /proc, which has no new folders, fails with NO_PERMISSION',
  async () => {
    for (const path of ['/proc/tessera', '/proc/tessera/data']) {
      await expect(start(path)).rejects.toMatchObject({
        code: 'NO_PERMISSION',
        message: expect.stringContaining('/proc/tessera'),
      });
    }
  },
);

test('a start on a file, or on a folder below a file, fails with NOT_A_FOLDER', async () => {
  await writeFile(dataDir, '');
  for (const path of [dataDir, join(dataDir, 'below')]) {
    await expect(start(path)).rejects.toMatchObject({ code: 'NOT_A_FOLDER', message: expect.stringContaining(path) });
  }
});
