import { Agent, request } from 'node:http';
import { startKeepAliveProxy } from '@tessera/testing/keep-alive-proxy';
import { startServer } from '@tessera/testing/server';
import { describe, expect, test, vi } from 'vitest';

const connections = 50;
const patience = { timeout: 20_000 };
const grace = { TESSERA_DRAIN_GRACE: '1s', TESSERA_SECRET: 'a secret that both processes of this test share' };

interface Seen {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

function get(agent: Agent, port: number, path: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', path }, async answer => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body });
    });
    asked.once('error', reject).end();
  });
}

/** Keeps 50 connections busy until `isOver` says so. */
function keepBusy(port: number, seen: string[], isOver: (answer: Seen | undefined) => boolean): Promise<unknown> {
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  return Promise.all(
    agents.map(async agent => {
      let answer: Seen | undefined;
      while (!isOver(answer)) {
        answer = await get(agent, port, '/health').catch(({ code }) => ({
          status: 0,
          connection: undefined,
          body: String(code),
        }));
        seen.push(answer.status === 200 ? '200' : `${answer.status} ${answer.body}`);
        if (answer.status === 0) break;
      }
      agent.destroy();
    }),
  );
}

describe('control 101: with a drain grace', () => {
  test('a stop turns readiness red first and keeps liveness green', async () => {
    const draining = await startServer({ environment: grace });
    const agent = new Agent({ keepAlive: true });
    const before = await get(agent, draining.port, '/ready');
    const stopped = draining.stop();
    const during = await Promise.all([get(agent, draining.port, '/ready'), get(agent, draining.port, '/health')]);
    await stopped;
    expect(before).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(during).toEqual([
      { status: 503, connection: 'close', body: 'This process is stopping.' },
      { status: 200, connection: 'close', body: '{"status":"ok"}' },
    ]);
  });

  test('50 busy keep-alive connections lose no request when the server stops', async () => {
    const draining = await startServer({ environment: grace });
    const seen: string[] = [];
    const busy = keepBusy(draining.port, seen, answer => answer?.connection === 'close');
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(connections * 4), patience);
    await Promise.all([draining.stop(), busy]);
    expect(new Set(seen)).toEqual(new Set(['200']));
  });

  test('50 busy clients of a keep-alive proxy lose no request when one of two servers stops', async () => {
    const staying = await startServer({ environment: grace });
    // Server, proxy and clients share this process: on a busy machine one second is not enough for the proxy to notice.
    const draining = await startServer({
      environment: { ...grace, TESSERA_DRAIN_GRACE: '5s', DATABASE_URL: staying.database.url },
    });
    const proxy = await startKeepAliveProxy([draining.port, staying.port]);
    const seen: string[] = [];
    let isStopped = false;
    const busy = keepBusy(proxy.port, seen, () => isStopped);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(connections * 4), patience);
    await draining.stop();
    isStopped = true;
    await busy;
    proxy.close();
    expect(new Set(seen)).toEqual(new Set(['200']));
    await staying.stop();
  });
});
