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
  await new Promise<void>(resolve => listening.listen(0, resolve));
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
    expect(await servers.transportTo(server, 'shop').send(email)).toMatchObject({ type: 'TIMEOUT', canRetry: true });
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
    // Long enough for the quick server on a busy machine.
    open({ timeoutMs: 1_000 });
    const slow = await listen(() => undefined);
    const quick = await openSink();
    const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const [one, two, three] = hosts.map(host => servers.transportTo({ ...slow, host }, 'shop'));
    expect(one?.room?.()).toBe('now');
    await Promise.all([one, two, three].map(transport => transport?.send(email)));
    expect([one, two, three].map(transport => transport?.room?.())).toEqual(['now', 'now', 'now']);
    const first = one?.send(email);
    expect([one, two, three].map(transport => transport?.room?.())).toEqual(['later', 'now', 'now']);
    const second = two?.send(email);
    expect([one, two, three].map(transport => transport?.room?.())).toEqual(['later', 'later', 'later']);
    expect(servers.transportTo(quick, 'blog').room?.()).toBe('now');
    expect(await servers.transportTo(quick, 'blog').send(email)).toBeNull();
    await Promise.all([first, second]);
    expect(three?.room?.()).toBe('now');
  });

  test('another user name does not make a slow server a new one', async () => {
    open();
    const slow = await listen(() => undefined);
    await servers.transportTo(slow, 'shop').send(email);
    const sending = servers.transportTo(slow, 'shop').send(email);
    expect(servers.transportTo({ ...slow, username: 'other', password: 'x' }, 'shop').room?.()).toBe('later');
    await sending;
  });

  test('a new server gets two emails until the first one has ended', async () => {
    open({ timeoutMs: 5_000 });
    const transport = servers.transportTo(await openSink(), 'shop');
    const sending = [transport.send(email), transport.send(email)];
    expect(transport.room?.()).toBe('soon');
    await Promise.all(sending);
    expect(transport.room?.()).toBe('now');
  });

  test('new servers get eight emails at once, all together, and quick ones are not delayed by them', async () => {
    open({ timeoutMs: 5_000 });
    const [silent, quick] = [await listen(() => undefined), await openSink()];
    expect(await servers.transportTo(quick, 'blog').send(email)).toBeNull();
    const unknown = Array.from({ length: 25 }, (_, index) =>
      servers.transportTo({ ...silent, host: `127.0.1.${index + 1}` }, `shop ${index}`),
    );
    for (const transport of unknown.slice(0, 8)) {
      expect(transport.room?.()).toBe('now');
      transport.send(email).catch(() => undefined);
    }
    expect(unknown.map(transport => transport.room?.())).toEqual(Array(25).fill('soon'));
    expect(servers.transportTo(quick, 'blog').room?.()).toBe('now');
  });

  test('a project with a server of its own has eight jobs at once', async () => {
    open();
    expect(servers.limits().get('shop')).toBeUndefined();
    servers.transportTo(at(25), 'shop');
    expect(servers.limits().get('shop')).toBe(8);
  });
});

describe('connections to a project’s mail server', () => {
  test('stay open while there are emails, at most two', async () => {
    open({ timeoutMs: 5_000 });
    const server = await openSink();
    const transport = servers.transportTo(server, 'shop');
    const failures = await Promise.all(Array.from({ length: 20 }, () => transport.send(email)));
    expect(failures).toEqual(Array(20).fill(null));
    expect(sink?.mails).toHaveLength(20);
    expect(sink?.connectionCount()).toBe(2);
  });

  test('are pooled for a limited number of servers, and emails to further servers arrive', async () => {
    open({ timeoutMs: 5_000 });
    const server = await openSink();
    for (let count = 0; count < 110; count++) {
      const known = servers.transportTo({ ...server, username: `user-${count}`, password: 'x' }, 'shop');
      if (count % 20 === 0) expect(await known.send(email)).toBeNull();
    }
    expect(await servers.transportTo({ ...server, username: 'user-0', password: 'x' }, 'shop').send(email)).toBeNull();
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
    expect(await servers.transportTo(at(25, 'nowhere.example'), 'shop').send(email)).toMatchObject({
      type: 'HOST_NOT_FOUND',
    });
  });
});
