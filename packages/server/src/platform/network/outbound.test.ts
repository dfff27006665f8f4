import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addressCheck,
  createOutbound,
  isAddressRange,
  loopbackRanges,
  type Outbound,
  OutboundError,
} from './outbound.ts';

describe('control 86: only public addresses are reachable', () => {
  const mayReach = addressCheck([]);

  test.each([
    ['a public address', '93.184.216.34', true],
    ['a public IPv6 address', '2606:2800:220:1:248:1893:25c8:1946', true],
    ['nothing', '0.0.0.0', false],
    ['this network', '0.1.2.3', false],
    ['loopback', '127.0.0.1', false],
    ['the end of loopback', '127.255.255.254', false],
    ['private 10/8', '10.1.2.3', false],
    ['private 172.16/12', '172.31.255.255', false],
    ['beside private 172.16/12', '172.32.0.1', true],
    ['private 192.168/16', '192.168.1.1', false],
    ['link-local, where clouds keep their secrets', '169.254.169.254', false],
    ['the platform of Azure, which has a public address', '168.63.129.16', false],
    ['beside the platform of Azure', '168.63.129.17', true],
    ['carrier-grade NAT', '100.64.0.1', false],
    ['beside carrier-grade NAT', '100.128.0.1', true],
    ['documentation', '203.0.113.9', false],
    ['benchmarks', '198.18.0.1', false],
    ['multicast', '224.0.0.1', false],
    ['broadcast', '255.255.255.255', false],
    ['nothing in IPv6', '::', false],
    ['loopback in IPv6', '::1', false],
    ['link-local in IPv6', 'fe80::1', false],
    ['link-local with a zone', 'fe80::1%eth0', false],
    ['unique local', 'fd12:3456::1', false],
    ['site-local', 'fec0::1', false],
    ['mapped loopback', '::ffff:127.0.0.1', false],
    ['mapped public', '::ffff:93.184.216.34', false],
    ['compatible loopback', '::127.0.0.1', false],
    ['6to4 of a private address', '2002:0a00:0001::1', false],
    ['NAT64 of loopback', '64:ff9b::7f00:1', false],
    ['local NAT64', '64:ff9b:1::7f00:1', false],
    ['Teredo', '2001:0:53aa:64c::1', false],
    ['documentation in IPv6', '2001:db8::1', false],
    ['multicast in IPv6', 'ff02::1', false],
    ['a name', 'localhost', false],
  ])('%s', (_, address, expected) => {
    expect(mayReach(address)).toBe(expected);
  });

  test('ranges that the operator allows are reachable as well', () => {
    const allowed = addressCheck(['10.2.0.0/16', 'fd00::/8', '192.168.7.7']);
    const addresses = ['10.2.9.9', '10.3.0.1', 'fd99::1', 'fe80::1', '192.168.7.7', '192.168.7.8', '127.0.0.1'];
    expect(addresses.filter(allowed)).toEqual(['10.2.9.9', 'fd99::1', '192.168.7.7']);
  });
});

test.each([
  ['10.0.0.0/8', true],
  ['fd00::/8', true],
  ['192.168.1.1', true],
  ['::1', true],
  ['10.0.0.0/40', false],
  ['example.com', false],
  ['', false],
])('%s as a range', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
});

describe('control 86: an outbound request', () => {
  let server: http.Server | undefined;
  let outbound: Outbound | undefined;
  afterEach(async () => {
    outbound?.close();
    server?.closeAllConnections();
    await new Promise<void>(resolve => {
      if (server === undefined) return resolve();
      server.close(() => resolve());
    });
    server = undefined;
  });

  type Answer = (request: IncomingMessage, response: ServerResponse) => void;

  async function listen(answer: Answer): Promise<number> {
    const opened = http.createServer(answer);
    server = opened;
    await new Promise<void>(resolve => opened.listen(0, '127.0.0.1', resolve));
    return (opened.address() as AddressInfo).port;
  }

  function open(options: Partial<Parameters<typeof createOutbound>[0]> = {}): Outbound {
    outbound = createOutbound({ allow: loopbackRanges, ...options });
    return outbound;
  }

  async function failure(promise: Promise<unknown>): Promise<unknown> {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof OutboundError ? error.reason : error;
  }

  const request = { headers: { 'content-type': 'text/plain', 'x-mine': 'yes' }, body: 'ä', maxAnswerBytes: 10 };

  test('sends headers and body, and returns status and body', async () => {
    const port = await listen((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', chunk => chunks.push(chunk));
      message.on('end', () => {
        const { accept, 'accept-encoding': encoding, 'x-mine': mine } = message.headers;
        response.writeHead(201).end(`${Buffer.concat(chunks)} ${mine} ${accept} ${encoding} ${message.method}`);
      });
    });
    const answer = await open().post(`http://127.0.0.1:${port}/x`, { ...request, maxAnswerBytes: 100 });
    expect([answer.status, answer.body.toString()]).toEqual([201, 'ä yes */* identity POST']);
  });

  test('uses a connection again', async () => {
    const ports = new Set<number | undefined>();
    const port = await listen((message, response) => {
      ports.add(message.socket.remotePort);
      message.resume().on('end', () => response.writeHead(204).end());
    });
    const { post } = open();
    for (let count = 0; count < 3; count++) await post(`http://127.0.0.1:${port}/`, request);
    expect(ports.size).toBe(1);
  });

  test.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://93.184.216.34/', 'scheme'],
    ['http://127.0.0.1/', 'address'],
    ['http://2130706433/', 'address'],
    ['http://0x7f.1/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://[::ffff:10.0.0.1]/', 'address'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
  ])('to %s is refused without being made', async (url, reason) => {
    const guarded = open({ allow: [] });
    expect([await failure(guarded.post(url, request)), guarded.mayAsk(url)]).toEqual([reason, false]);
  });

  test('to a name that resolves to a private address is refused', async () => {
    const resolve = async () => ['10.0.0.1', '::1'];
    expect(await failure(open({ allow: [], resolve }).post('http://inside.example/', request))).toBe('address');
  });

  test('connects to the address that was checked, and resolves the name once', async () => {
    const port = await listen((request, response) => response.end(request.headers.host));
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return asked.length === 1 ? ['10.0.0.1', '127.0.0.1'] : ['10.0.0.1'];
    };
    const { body } = await open({ resolve }).post(`http://hook.example:${port}/`, { ...request, maxAnswerBytes: 100 });
    expect([body.toString(), asked]).toEqual([`hook.example:${port}`, ['hook.example']]);
  });

  test('to an unknown name fails with the error of that cause', async () => {
    const resolve = async () => {
      throw new Error('ENOTFOUND');
    };
    expect(await failure(open({ resolve }).post('http://nowhere.example/', request))).toBe('name');
  });

  test('returns a redirect and does not follow it', async () => {
    const port = await listen((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    expect(await open().post(`http://127.0.0.1:${port}/`, request)).toEqual({ status: 302, body: Buffer.of() });
  });

  test('with a password in the address is refused', async () => {
    expect(await failure(open().post('http://ada:secret@127.0.0.1/', request))).toBe('scheme');
  });

  test('fails when the response does not begin or does not end in time', async () => {
    const port = await listen((message, response) => {
      if (message.url === '/slow') response.write('a bit');
    });
    const { post } = open({ timeoutMs: 100 });
    expect(await failure(post(`http://127.0.0.1:${port}/`, request))).toBe('timeout');
    expect(await failure(post(`http://127.0.0.1:${port}/slow`, request))).toBe('timeout');
  });

  test('fails when the connection ends within the response', async () => {
    const port = await listen((_, response) => {
      response.write('a bit', () => response.destroy());
    });
    expect(await failure(open().post(`http://127.0.0.1:${port}/`, request))).toBe('connection');
  });

  test('fails when the response changes the protocol', async () => {
    const port = await listen(
      (_, { socket }) => void socket?.write('HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    expect(await failure(open().post(`http://127.0.0.1:${port}/`, request))).toBe('connection');
  });

  test('returns the beginning of a response without end', async () => {
    const port = await listen((_, response) => void response.write('x'.repeat(5000)));
    const { body } = await open().post(`http://127.0.0.1:${port}/`, request);
    expect(body.toString()).toBe('x'.repeat(request.maxAnswerBytes));
  });

  test('to a closed port fails with the error of that cause', async () => {
    const port = await listen(() => undefined);
    await new Promise(resolve => server?.close(resolve));
    expect(await failure(open().post(`http://127.0.0.1:${port}/`, request))).toBe('connection');
  });
});
