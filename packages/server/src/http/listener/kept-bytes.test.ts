import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { exchange } from '@tessera/testing/exchange';
import { expect, test } from 'vitest';
import { createKeptBytes } from './kept-bytes.ts';
import { fromIncoming } from './node-request.ts';

const megabyte = 1024 * 1024;
const head = (length: number) =>
  `POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;

test('control 80: clients that hold back the ends of their bodies do not fill the memory, and others are served', async () => {
  const bodies = createKeptBytes<IncomingMessage>(2.5 * megabyte);
  const limits = { maxBytes: 2 * megabyte, discardMaxBytes: 2 * megabyte };
  const server = createServer(async (incoming, outgoing) => {
    const body = await fromIncoming(incoming, bodies)
      ?.readBody(limits)
      .catch(() => undefined);
    outgoing.end(`${body?.byteLength} bytes`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const holdBack = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(head(megabyte + 1));
    socket.write(Buffer.alloc(megabyte));
    return socket;
  };
  const clients = [holdBack(), holdBack(), holdBack()];
  // A reset also closes, and `once` would throw it.
  await Promise.race(clients.map(client => new Promise(resolve => client.once('close', resolve))));
  expect(await exchange(port, head(1), 'x')).toContain('1 bytes');
  const left = clients.filter(client => !client.destroyed);
  expect(left).toHaveLength(2);
  for (const client of left) {
    const answered = once(client, 'data');
    client.write('x');
    expect(String(await answered)).toContain(' 200 OK');
  }
  server.close();
});
