import { once } from 'node:events';
import { connect } from 'node:net';
import { internalKeySettings } from '@tessera/testing/call';
import { exchange } from '@tessera/testing/exchange';
import { type ListeningServer, startServer } from '@tessera/testing/server';
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';

let server: ListeningServer;
beforeEach(async () => {
  server = await startServer({ environment: internalKeySettings });
});

/** The time after which a stop cuts all connections; a stop that takes almost as long has waited for nothing. */
const cutOffMs = 10_000;

/** A request that continues only after the lock is released. */
async function requestThatWaits(connection: string): Promise<{ answer: Promise<string>; release(): Promise<void> }> {
  const locker = new pg.Client(server.database.connection);
  await locker.connect();
  await locker.query('begin; lock table api_key_sets in access exclusive mode');
  const lines = [
    'GET /api/v1/projects/current HTTP/1.1',
    'Host: localhost',
    `Connection: ${connection}`,
    'x-stack-access-type: client',
    'x-stack-project-id: internal',
    'x-stack-publishable-client-key: pck_test_internal',
  ];
  const answer = exchange(server.port, `${lines.join('\r\n')}\r\n\r\n`);
  await vi.waitFor(
    async () => {
      const waiting = `select 1 from pg_locks where not granted and relation = 'api_key_sets'::regclass`;
      expect((await locker.query(waiting)).rows).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
  return {
    answer,
    release: async () => {
      await locker.query('commit');
      await locker.end();
    },
  };
}

const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n';

test.each(['close', 'keep-alive'])(
  'control 101: a request that runs is answered in full before the server stops (connection: %s)',
  async connection => {
    const { answer, release } = await requestThatWaits(connection);
    const startedAt = performance.now();
    const stopped = server.stop();
    await vi.waitFor(async () => expect(await exchange(server.port, `${health}\r\n`)).toBe(''), { timeout: 20_000 });
    await release();
    const text = await answer;
    await stopped;
    expect([text.slice(0, 15), text.includes('"display_name"')]).toEqual(['HTTP/1.1 200 OK', true]);
    expect(performance.now() - startedAt).toBeLessThan(cutOffMs - 1_000);
  },
);

test('control 101: the request of a connection that was opened just before the stop is answered', async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  // The server has accepted it: connections are accepted in their order.
  expect(await exchange(server.port, `${health}Connection: close\r\n\r\n`)).toContain('"ok"');
  const stopped = server.stop();
  await vi.waitFor(async () => expect(await exchange(server.port, `${health}\r\n`)).toBe(''), { timeout: 20_000 });
  socket.write(`${health}\r\n`);
  expect(String(await socket.toArray())).toMatch(/^HTTP\/1.1 200 OK/);
  await stopped;
});

test('control 101: an idle connection does not delay the stop of the server', async () => {
  const idle = exchange(server.port, `${health}\r\n`);
  expect(await exchange(server.port, `${health}Connection: close\r\n\r\n`)).toContain('"ok"');
  const startedAt = performance.now();
  await server.stop();
  expect(await idle).toContain('"ok"');
  expect(performance.now() - startedAt).toBeLessThan(cutOffMs - 1_000);
});
