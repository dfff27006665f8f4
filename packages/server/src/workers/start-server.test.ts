import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterFolder } from '@tessera/embedded-postgres';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { freePort } from '@tessera/testing/free-port';
import { expect, test } from 'vitest';
import { readSettings } from '../env.ts';
import { createLog } from '../platform/observability/log.ts';
import { startServer } from './start-server.ts';

test('a port in use ends the start before a data folder or a database is made', async ({ onTestFinished }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'tessera-start-'));
  onTestFinished(async () => {
    other.close();
    await rm(folder, { recursive: true });
  });

  const dataDir = join(folder, 'data');
  const port = String((other.address() as AddressInfo).port);
  const settings = readSettings({
    PORT: port,
    HOST: '127.0.0.1',
    TESSERA_MODE: 'development',
    TESSERA_DATA_DIR: dataDir,
  });
  await expect(
    startServer(settings, createLog({ level: 'silent' }), new AbortController().signal),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(existsSync(dataDir)).toBe(false);
});

test.each(['192.0.2.1', '[::1]', 'no-such-host.invalid'])(
  'a start with HOST=%s, which is not an address of this machine, fails and names HOST',
  async host => {
    const settings = readSettings({ HOST: host, PORT: '0', TESSERA_MODE: 'development' });
    await expect(
      startServer(settings, createLog({ level: 'silent' }), new AbortController().signal),
    ).rejects.toMatchObject({ name: 'OperatorError', message: expect.stringContaining(`HOST=${host} `) });
  },
);

test('a stop while the embedded PostgreSQL starts ends the start and the PostgreSQL', async ({ onTestFinished }) => {
  const dataDir = await makeDataFolder();
  onTestFinished(() => removeDataFolder(dataDir));
  const stop = new AbortController();
  const log = createLog({
    level: 'info',
    destination: { write: line => void (line.includes('made a new database') && stop.abort()) },
  });
  const settings = readSettings({
    PORT: String(await freePort()),
    TESSERA_MODE: 'development',
    TESSERA_DATA_DIR: dataDir,
  });
  await expect(startServer(settings, log, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(existsSync(join(clusterFolder(dataDir), 'data/postmaster.pid'))).toBe(false);
});
