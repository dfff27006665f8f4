import { exchange } from '@tessera/testing/exchange';
import { type ListeningServer, startServer } from '@tessera/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: ListeningServer;
beforeAll(async () => {
  server = await startServer({
    timeouts: { headersMs: 100, requestMs: 200, keepAliveMs: 100, stallMs: 100, checkMs: 20 },
  });
});
afterAll(() => server.stop());

const head = 'POST /api/v1/check-version HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

describe('control 80: a slow client is disconnected', () => {
  test('when its headers do not end', async () => {
    expect(await exchange(server.port, head)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('when its body does not arrive', async () => {
    expect(await exchange(server.port, `${head}content-length: 100\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('when its connection is idle after a response', async () => {
    const answer = await exchange(server.port, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  });
});
