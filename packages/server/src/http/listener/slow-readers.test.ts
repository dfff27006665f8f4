import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUnsentAnswers } from './unsent-answers.ts';

const megabyte = 1024 * 1024;
/** More than the buffers of both sockets take. */
const body = 'x'.repeat(16 * megabyte);
const request = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';

let server: Server;
let stopped: Socket[];
beforeEach(() => {
  stopped = [];
});
afterEach(() => {
  for (const socket of stopped) socket.destroy();
  server.close();
  server.closeAllConnections();
});

async function listen(options: { stallMs: number; maxBytes: number }): Promise<number> {
  const unsent = createUnsentAnswers(options);
  server = createServer((incoming, outgoing) => {
    if (incoming.url === '/stream') {
      unsent.watchStream(outgoing);
      outgoing.write(body);
      return;
    }
    outgoing.writeHead(200, { 'content-length': body.length }).end(body);
    unsent.watch(outgoing, body.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A client that sends a request and reads nothing of the answer. @returns when the server has closed the connection */
async function readNothing(port: number, text = request): Promise<{ closed: Promise<unknown> }> {
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1').pause();
  stopped.push(socket);
  socket.on('error', () => undefined);
  socket.write(text);
  const [serverSide] = (await accepted) as [Socket];
  const received = once(server, 'request');
  await received;
  return { closed: once(serverSide, 'close') };
}

async function readAll(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  return (await response.text()).length;
}

describe('control 80: a client that does not read its answer', () => {
  const patient = { stallMs: 60_000, maxBytes: 3 * body.length };

  test('is disconnected after the time limit', async () => {
    const port = await listen({ ...patient, stallMs: 50 });
    const { closed } = await readNothing(port);
    await closed;
  });

  test('is disconnected during a generated answer', async () => {
    const port = await listen({ ...patient, stallMs: 50 });
    const { closed } = await readNothing(port, request.replace('GET /', 'GET /stream'));
    await closed;
  });

  test('is disconnected first when the unsent answers together are too large', async () => {
    const port = await listen(patient);
    const clients = [await readNothing(port), await readNothing(port), await readNothing(port)];
    const states = clients.map(() => 'open');
    clients.forEach(({ closed }, index) => void closed.then(() => (states[index] = 'closed')));
    await readNothing(port);
    await clients[0]?.closed;
    expect(states).toEqual(['closed', 'open', 'open']);
  });

  test('does not keep others from a large answer', async () => {
    const port = await listen({ ...patient, maxBytes: 1 });
    await readNothing(port);
    expect(await readAll(port)).toBe(body.length);
  });
});
