import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, startTestProcess, type TestProcess } from './process.ts';

let server: TestProcess;
beforeAll(async () => {
  server = await startTestProcess({}, { headersMs: 100, requestMs: 200, keepAliveMs: 100, checkMs: 20 });
});
afterAll(() => server.stop());

const head = 'POST /api/v1/check-version HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

describe('control 80: a client that is slow is cut off', () => {
  test('with headers that do not end', async () => {
    expect(await exchange(server.port, head)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('with a body that does not come', async () => {
    expect(await exchange(server.port, `${head}content-length: 100\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('with a connection that says nothing more', async () => {
    const answer = await exchange(server.port, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  });
});
