import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { type ServerProcess, startServerProcess } from '@tessera/testing/server-process';
import { until } from '@tessera/testing/until';
import { afterEach, beforeEach, expect, test } from 'vitest';

const metricsToken = 'metrics-token-of-this-test';

let dataDir: string;
let server: ServerProcess;
beforeEach(async () => {
  dataDir = await makeDataFolder();
  server = await startServerProcess({
    dataDir,
    env: {
      TESSERA_MODE: 'production',
      TESSERA_WORKERS: '2',
      TESSERA_METRICS_TOKEN: metricsToken,
      TESSERA_DRAIN_GRACE: '0s',
    },
  });
  await entry('all workers are listening');
});
afterEach(async () => {
  await server.stop();
  await removeDataFolder(dataDir);
});

interface Entry {
  readonly msg: string;
  readonly worker?: number;
  readonly applied?: readonly string[];
}

function entries(): Entry[] {
  return server.lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line));
}

function entry(message: string): Promise<Entry> {
  return until(message, () => entries().find(({ msg }) => msg === message));
}

function listening(): Entry[] {
  return entries().filter(({ msg }) => msg === 'listening');
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
}

/** A request on a connection of its own, so that the requests spread over the workers. */
async function health(): Promise<number> {
  const response = await fetch(`${server.url}/health?db=1`, { headers: { connection: 'close' } });
  await response.arrayBuffer();
  return response.status;
}

test('two workers share a port, the first one alone migrates, and each answers /metrics for both', async () => {
  const [first, second, ...more] = listening();
  expect(more).toEqual([]);
  expect(first?.applied).toContain('0001-foundation.sql');
  expect(second?.applied).toEqual([]);
  expect(server.lines.filter(line => line.includes('no owner yet'))).toHaveLength(1);

  const path = '/api/v1/projects/current';
  for (let count = 0; count < 10; count++) await fetch(`${server.url}${path}`, { headers: { connection: 'close' } });
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const counted = /tessera_http_requests_total\{[^}]*projects\/current[^}]*\} (\d+)/.exec(await answer.text())?.[1];
  expect(counted).toBe('10');
});

test('a killed worker is replaced, and the other one serves meanwhile', async () => {
  const [first] = listening();
  process.kill(first?.worker ?? 0, 'SIGKILL');
  await entry('a worker ended unexpectedly');
  expect(await health()).toBe(200);
  await until('a third worker', () => listening()[2]);
  expect(await health()).toBe(200);
});

test('SIGUSR2 replaces the workers one by one, and every request is answered', async () => {
  let isOver = false;
  const statuses: Promise<number>[] = [];
  const asking = (async () => {
    while (!isOver) {
      const status = health();
      statuses.push(status.catch(() => 0));
      await status.catch(() => undefined);
    }
  })();
  process.kill(server.pid ?? 0, 'SIGUSR2');
  await entry('the workers are replaced');
  isOver = true;
  await asking;
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  expect(listening().map(({ worker }) => isAlive(worker))).toEqual([false, false, true, true]);
});

test('a crash loop of the workers ends the server', async () => {
  await until('the end', async () => {
    for (const { worker } of listening()) if (isAlive(worker)) process.kill(worker ?? 0, 'SIGKILL');
    return entries().some(({ msg }) => msg === 'the workers failed');
  });
  await until('no process is left', () => !isAlive(server.pid));
});

test('SIGTERM ends the supervisor and all workers', async () => {
  await server.stop();
  expect(listening().map(({ worker }) => isAlive(worker))).toEqual([false, false]);
});
