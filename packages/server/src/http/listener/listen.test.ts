import { exchange } from '@tessera/testing/exchange';
import { expect, test } from 'vitest';
import { createLog } from '../../platform/observability/log.ts';
import type { Reply } from '../response/reply.ts';
import { clientTimeouts, listen } from './listen.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function respondWith(reply: () => Promise<Reply>) {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void lines.push(line) } });
  const { port, drain } = await listen(reply, { host: '127.0.0.1', port: 0, timeouts: clientTimeouts, log });
  const answers = [await exchange(port, request), await exchange(port, request)];
  await drain(0);
  return { answers, logged: lines.join('') };
}

test.each<[string, () => Promise<Reply>]>([
  ['a header that cannot be sent', async () => ({ status: 200, headers: { location: 'a\nb' }, body: 'x' })],
  ['an error of the handler', () => Promise.reject(new Error('a defect'))],
])('%s becomes a 500 with a log line, and the server keeps running', async (_, reply) => {
  const { answers, logged } = await respondWith(reply);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 500 /);
  expect(logged).toContain('a response could not be sent');
});

test('an error in a generated body ends the connection before the end of the body', async () => {
  const { answers } = await respondWith(async () => {
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode('first')),
      pull: controller => controller.error(new Error('a defect')),
    });
    return { status: 200, headers: {}, body };
  });
  for (const answer of answers) expect(answer).not.toContain('\r\n0\r\n');
});
