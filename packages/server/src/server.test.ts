import { mkdtemp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalKeySettings } from '@tessera/testing/call';
import { asAdministrator, createTestDatabase } from '@tessera/testing/database';
import { expect, test } from 'vitest';
import { readSettings } from './env.ts';
import { createLog } from './platform/observability/log.ts';
import { run } from './server.ts';

test('a server whose port is taken closes its database connections', async () => {
  const taken = net.createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-data-'));
  const { connection, drop } = await createTestDatabase();
  const settings = readSettings({
    TESSERA_MODE: 'development',
    TESSERA_DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String((taken.address() as AddressInfo).port),
    ...internalKeySettings,
  });
  const log = createLog({ level: 'error', destination: { write: () => undefined } });
  const database = { isEmbedded: false, connection, directConnection: connection, stop: async () => undefined };
  await expect(run(settings, log, { database })).rejects.toThrow('EADDRINUSE');
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
