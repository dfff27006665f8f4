import { join } from 'node:path';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { startServerProcess } from '@tessera/testing/server-process';
import { expect, test } from 'vitest';

const report = join(import.meta.dirname, 'report-loaded-code.cjs');

/**
 * The code of `fetch` takes 8 MB of memory and 40 ms, the first formatter of `Intl` 10 MB and 25 ms, the entry point of
 * the limiter library 1 MB and 20 ms.
 */
test('a server that has answered requests has loaded neither fetch, formatters nor limiters of other databases', async () => {
  const dataDir = await makeDataFolder();
  const server = await startServerProcess({ dataDir, nodeOptions: ['--require', report] });
  const statuses = await Promise.all(
    ['/health?db=1', '/ready', '/dashboard', '/api/v1', '/api/v1/users/me', '/api/v1/nowhere'].map(async path => {
      const response = await fetch(server.url + path);
      await response.text();
      return response.status;
    }),
  );
  const preflight = await fetch(`${server.url}/api/v1/users/me`, { method: 'OPTIONS' });
  await server.stop();
  await removeDataFolder(dataDir);
  expect([...statuses, preflight.status]).toEqual([200, 200, 200, 200, 400, 404, 200]);
  expect(server.lines.filter(line => line.startsWith('costly code'))).toEqual(['costly code: none']);
});
