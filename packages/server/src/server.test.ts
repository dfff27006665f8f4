import { mkdtemp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalKeySettings } from '@tessera/testing/call';
import { asAdministrator, createTestDatabase } from '@tessera/testing/database';
import { proxyTo } from '@tessera/testing/proxied-connection';
import { expect, inject, test } from 'vitest';
import { readSettings } from './env.ts';
import { installationSecret, previousInstallationSecret } from './platform/crypto/key-file.ts';
import { randomSecret } from './platform/crypto/random.ts';
import { createLog } from './platform/observability/log.ts';
import { run } from './server.ts';
import type { ServerDatabase } from './server-database.ts';

interface Start {
  readonly dataDir: string;
  readonly connection: ServerDatabase['connection'];
  readonly isFirst?: boolean;
  /** Default: any free port. */
  readonly port?: number;
}

/** Starts a server. `lines` are its warnings. */
function start({ dataDir, connection, isFirst = true, port = 0 }: Start) {
  const settings = readSettings({
    TESSERA_MODE: 'development',
    TESSERA_DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...internalKeySettings,
  });
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: line => lines.push(line) } });
  const database = { isEmbedded: false, connection, directConnection: connection, stop: async () => undefined };
  return { started: run(settings, log, { database, isFirst }), lines };
}

/** Starts a server on a database that is away, and resolves when it waits for the database. */
async function startWaiting(options: Start) {
  const { started, lines } = start(options);
  const isWaiting = () => lines.some(line => line.includes('waiting for the database'));
  await Promise.race([expect.poll(isWaiting, { timeout: 20_000 }).toBe(true), started]);
  return {
    async stopOnceReady() {
      const server = await started;
      const { status } = await fetch(`http://127.0.0.1:${server.port}/ready`);
      expect(status).toBe(200);
      await server.stop();
    },
  };
}

test('a server that starts while the database is read-only listens as soon as it accepts writes', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const { connection, drop } = await createTestDatabase();
  const setReadOnly = (value: 'on' | 'off') =>
    asAdministrator(inject('postgres'), client =>
      client.query(`alter database ${connection.database} set default_transaction_read_only = ${value}`),
    );
  await setReadOnly('on');
  const { stopOnceReady } = await startWaiting({ dataDir, connection });
  await setReadOnly('off');
  await stopOnceReady();
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a worker that replaces a crashed one while the database is away listens as soon as the database is back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const { connection: direct, drop } = await createTestDatabase();
  const { proxy, connection } = await proxyTo(direct);
  await proxy.refuse();
  const { stopOnceReady } = await startWaiting({ dataDir, connection, isFirst: false });
  await proxy.resume();
  await stopOnceReady();
  await proxy.close();
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a start with the previous secret of an interrupted rotation in its data folder says to run the rotation again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const { connection, drop } = await createTestDatabase();
  await installationSecret(dataDir, randomSecret);
  await previousInstallationSecret(dataDir, randomSecret);
  const { started, lines } = start({ dataDir, connection });
  const server = await started;
  await server.stop();
  expect(lines.join('')).toContain('stop the server and run tessera rotate-secret again');
  expect(lines.join('')).not.toContain('TESSERA_PREVIOUS_SECRET');
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a server whose port is taken closes its database connections', async () => {
  const taken = net.createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const { connection, drop } = await createTestDatabase();
  const { port } = taken.address() as AddressInfo;
  await expect(start({ dataDir, connection, port }).started).rejects.toThrow('EADDRINUSE');
  const open = () =>
    asAdministrator(connection, async client => {
      const { rows } = await client.query(
        `select application_name from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
        [connection.database],
      );
      return rows;
    });
  await expect.poll(open, { interval: 5 }).toEqual([]);
  taken.close();
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});
