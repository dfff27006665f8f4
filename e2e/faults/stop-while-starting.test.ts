import { join } from 'node:path';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { closedPort } from '@tessera/testing/free-port';
import { startNodeProcess } from '@tessera/testing/node-process';
import { startServerProcess } from '@tessera/testing/server-process';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '../../packages/server/dist/main.js');

/** Stops a server when it has logged a message of its start. Returns all that it logged. */
async function stopAt(message: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const isReady = (lines: readonly string[]) => lines.some(line => line.includes(message));
  const server = await startNodeProcess({ script, env: { PORT: '0', TESSERA_MODE: 'development', ...env }, isReady });
  await server.stop();
  return server.lines;
}

test('a server that is stopped while it starts leaves no PostgreSQL behind', async () => {
  const dataDir = await makeDataFolder();
  onTestFinished(() => removeDataFolder(dataDir));
  const lines = await stopAt('made a new database', { TESSERA_DATA_DIR: dataDir });
  expect(lines.at(-1)).toContain('"stopping"');

  // A start stops a PostgreSQL that was left behind, and logs it.
  const next = await startServerProcess({ dataDir });
  await next.stop();
  expect(next.lines.filter(line => line.includes('left running'))).toEqual([]);
});

test('a supervisor that is stopped while its worker waits for the database ends without an error', async () => {
  const DATABASE_URL = `postgresql://tessera@127.0.0.1:${closedPort}/tessera`;
  const lines = await stopAt('waiting for the database', { DATABASE_URL, TESSERA_WORKERS: '2' });
  expect(lines.at(-1)).toContain('"stopping"');
});
