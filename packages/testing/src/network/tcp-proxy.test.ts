import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
const sockets: Socket[] = [];
beforeEach(async () => {
  echo = createServer(socket => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy({ target: { host: '127.0.0.1', port: (echo.address() as AddressInfo).port } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.close();
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function sendAndReceive(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

/** The bytes that the socket receives from now on. */
function receive(socket: Socket): string[] {
  const received: string[] = [];
  socket.on('data', chunk => received.push(String(chunk)));
  return received;
}

test('a black hole drops the bytes of open and new connections, and new ones pass after resume', async () => {
  const before = await open();
  expect(await sendAndReceive(before, 'one')).toBe('one');
  const received = receive(before);
  proxy.blackhole();
  const during = await open();
  const receivedDuring = receive(during);
  before.write('lost');
  during.write('lost');
  await proxy.resume();
  expect(await sendAndReceive(await open(), 'two')).toBe('two');
  expect([received, receivedDuring, before.destroyed, during.destroyed]).toEqual([[], [], false, false]);
});

test('after a firewall has lost its state, the open connections get no packets and new ones work', async () => {
  const before = await open();
  expect(await sendAndReceive(before, 'one')).toBe('one');
  const received = receive(before);
  proxy.forget();
  before.write('lost');
  expect(await sendAndReceive(await open(), 'two')).toBe('two');
  expect(received).toEqual([]);
});

test('a reset ends the open connections with ECONNRESET', async () => {
  const socket = await open();
  await sendAndReceive(socket, 'one');
  const failed = new Promise(resolve => socket.once('error', resolve));
  proxy.reset();
  expect(await failed).toMatchObject({ code: 'ECONNRESET' });
});

test('a refusing proxy answers ECONNREFUSED, keeps open connections, and listens on its port again after resume', async () => {
  const before = await open();
  await sendAndReceive(before, 'one');
  await proxy.refuse();
  const refused = connect(proxy.port, '127.0.0.1');
  sockets.push(refused);
  const [error] = await once(refused, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  expect(await sendAndReceive(before, 'two')).toBe('two');
  await proxy.resume();
  expect(await sendAndReceive(await open(), 'three')).toBe('three');
});

test('a delay applies to every packet and keeps their order', async () => {
  const socket = await open();
  await sendAndReceive(socket, 'one');
  const received = receive(socket);
  proxy.delay(5);
  await new Promise<void>(resolve => {
    socket.write('t', () => resolve());
  });
  await proxy.resume();
  socket.write('wo');
  await vi.waitFor(() => expect(received.join('')).toBe('two'), { timeout: 20_000 });
});
