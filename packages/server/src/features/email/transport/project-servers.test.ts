import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterEach, describe, expect, test } from 'vitest';
import { createOwnMailServers, type OwnMailServers, type OwnMailServersOptions } from './project-servers.ts';
import type { SmtpServer } from './smtp.ts';
import type { Message } from './transport.ts';

let servers: OwnMailServers;
let sink: SmtpSink | undefined;
let other: Server | undefined;
const sockets = new Set<Socket>();

afterEach(async () => {
  servers.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  other?.close();
  await sink?.close();
  [sink, other] = [undefined, undefined];
});

function open(options: Partial<OwnMailServersOptions> = {}): void {
  servers = createOwnMailServers({ mayReach: () => true, timeoutMs: 150, ...options });
}

async function listen(onConnection: (socket: Socket) => void): Promise<SmtpServer> {
  const listening = createServer(socket => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  other = listening;
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  return at((listening.address() as AddressInfo).port);
}

const at = (port: number, host = '127.0.0.1', more: Partial<SmtpServer> = {}): SmtpServer => {
  return { host, port, isSecure: false, requiresTls: false, username: '', password: '', ...more };
};

const email: Message = {
  id: '0d2c5f0a-6d0a-4a53-9d67-1f2b3c4d5e6f',
  projectId: 'internal',
  from: { name: 'Acme', address: 'mail@acme.example' },
  to: 'ada@example.com',
  subject: 'Hello',
  html: '',
  text: 'Hello\n',
};

async function openSink(): Promise<SmtpServer> {
  sink = await openSmtpSink();
  return at(Number(new URL(sink.url).port));
}

describe('a slow mail server', () => {
  const silent = () => undefined;
  /** Sends data all the time and never finishes. */
  const talkative = (socket: Socket) => {
    const timer = setInterval(() => socket.write('220-Welcome\r\n'), 40);
    socket.on('close', () => clearInterval(timer));
  };

  test.each([
    ['that sends no greeting', silent],
    ['that sends an endless greeting', talkative],
  ])('%s is given up with TIMEOUT', async (_, onConnection) => {
    open();
    const server = await listen(onConnection);
    expect(await servers.tryOnce(server, email)).toMatchObject({ type: 'TIMEOUT', canRetry: true });
    expect(await servers.transportTo(server).send(email)).toMatchObject({ type: 'TIMEOUT', canRetry: true });
  });

  test('is disconnected after the timeout', async () => {
    open();
    let ended: () => void = () => undefined;
    const end = new Promise<void>(resolve => {
      ended = resolve;
    });
    const server = await listen(socket => {
      socket.on('close', ended).resume();
    });
    await servers.tryOnce(server, email);
    await end;
  });

  test('that never accepts the email is given up with TIMEOUT', async () => {
    open();
    const server = await openSink();
    await sink?.close();
    sink = await openSmtpSink({ beforeAccepted: () => new Promise(() => undefined) });
    const { port } = new URL(sink.url);
    expect(await servers.tryOnce({ ...server, port: Number(port) }, email)).toMatchObject({ type: 'TIMEOUT' });
  });

  test('without TLS on a TLS connection is refused with UNKNOWN', async () => {
    open();
    const server = await openSink();
    expect(await servers.tryOnce({ ...server, isSecure: true }, email)).toMatchObject({
      type: 'UNKNOWN',
      message: expect.stringMatching(/TLS|SSL/),
    });
  });
});

describe('slow mail servers do not delay others', () => {
  test('each gets one email at a time, and all together two', async () => {
    open();
    const slow = await listen(() => undefined);
    const quick = await openSink();
    const [one, two, three] = ['a', 'b', 'c'].map(username =>
      servers.transportTo({ ...slow, username, password: 'x' }),
    );
    expect(one?.hasRoom?.()).toBe(true);
    await Promise.all([one, two, three].map(transport => transport?.send(email)));
    expect([one, two, three].map(transport => transport?.hasRoom?.())).toEqual([true, true, true]);
    const first = one?.send(email);
    expect([one, two, three].map(transport => transport?.hasRoom?.())).toEqual([false, true, true]);
    const second = two?.send(email);
    expect([one, two, three].map(transport => transport?.hasRoom?.())).toEqual([false, false, false]);
    expect(servers.transportTo(quick).hasRoom?.()).toBe(true);
    expect(await servers.transportTo(quick).send(email)).toBeNull();
    await Promise.all([first, second]);
    expect(three?.hasRoom?.()).toBe(true);
  });
});

describe('connections to a project’s mail server', () => {
  test('stay open while there are emails, at most two', async () => {
    open({ timeoutMs: 5_000 });
    const server = await openSink();
    const transport = servers.transportTo(server);
    const failures = await Promise.all(Array.from({ length: 20 }, () => transport.send(email)));
    expect(failures).toEqual(Array(20).fill(null));
    expect(sink?.mails).toHaveLength(20);
    expect(sink?.connectionCount()).toBe(2);
  });

  test('are pooled for a limited number of servers, and emails to further servers arrive', async () => {
    open({ timeoutMs: 5_000 });
    const server = await openSink();
    for (let count = 0; count < 110; count++) {
      const known = servers.transportTo({ ...server, username: `user-${count}`, password: 'x' });
      if (count % 20 === 0) expect(await known.send(email)).toBeNull();
    }
    expect(await servers.transportTo({ ...server, username: 'user-0', password: 'x' }).send(email)).toBeNull();
  });
});

describe('control 86: a project’s mail server must be public', () => {
  const isPublic = (address: string) => address === '127.0.0.1';

  test('every address of a host name is checked, and the checked address is connected to', async () => {
    const server = await openSink();
    const asked: string[] = [];
    open({
      mayReach: isPublic,
      timeoutMs: 5_000,
      resolve: async name => {
        asked.push(name);
        // A second lookup would return a private address.
        return asked.length === 1 ? ['10.0.0.1', '127.0.0.1'] : ['10.0.0.1'];
      },
    });
    expect(await servers.tryOnce({ ...server, host: 'mail.example' }, email)).toBeNull();
    expect(asked).toEqual(['mail.example']);
    expect(await servers.tryOnce({ ...server, host: 'mail.example' }, email)).toMatchObject({
      type: 'HOST_NOT_FOUND',
      canRetry: false,
      raw: { message: expect.stringContaining('mail.example has no public address') },
    });
  });

  test('IP addresses are checked', async () => {
    open({ mayReach: isPublic });
    expect(await servers.tryOnce(at(25, '10.0.0.1'), email)).toMatchObject({ type: 'HOST_NOT_FOUND' });
  });

  test('an unknown host name is refused with HOST_NOT_FOUND', async () => {
    open({ resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })) });
    expect(await servers.tryOnce(at(25, 'nowhere.example'), email)).toMatchObject({ type: 'HOST_NOT_FOUND' });
    expect(await servers.transportTo(at(25, 'nowhere.example')).send(email)).toMatchObject({ type: 'HOST_NOT_FOUND' });
  });
});
