import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { exchange } from '@tessera/testing/exchange';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../platform/observability/log.ts';
import { placesOfAddresses } from './address-connections.ts';
import { clientTimeouts, listen } from './listen.ts';

const max = 1_000;
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const closing = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function start(trustedProxyHops: number) {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: line => void lines.push(line) } });
  const handle = async () => ({ status: 200, headers: {}, body: 'served' });
  const listener = await listen(handle, {
    host: '127.0.0.1',
    port: 0,
    timeouts: clientTimeouts,
    trustedProxyHops,
    rateLimits: 'on',
    log,
  });
  return { ...listener, lines };
}

/** Opens connections that send one request each and stay open. @returns the number of answers */
async function occupy(port: number, count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      sockets.push(socket);
      const answered = once(socket, 'data').then(() => 1);
      return Promise.race([answered, once(socket, 'close').then(() => 0)]).catch(() => 0);
    }),
  );
  return answers.reduce<number>((sum, one) => sum + one, 0);
}

describe('control 80: without a proxy in front', () => {
  test('an address has at most 1,000 connections, and a new one when one has ended', async () => {
    const { port, drain, lines } = await start(0);
    expect(await occupy(port, max + 50)).toBe(max);
    expect(await exchange(port, closing).catch(() => '')).toBe('');
    sockets.find(({ destroyed }) => !destroyed)?.destroy();
    await vi.waitFor(async () => expect(await exchange(port, closing).catch(() => '')).toMatch(/served$/));
    expect(lines).toHaveLength(1);
    await drain(0);
  });
});

describe('control 80: with a trusted proxy in front', () => {
  test('the address of the proxy has more than 1,000 connections', async () => {
    const { port, drain } = await start(1);
    expect(await occupy(port, max + 50)).toBe(max + 50);
    for (const socket of sockets) socket.destroy();
    await drain(0);
  });
});

describe('control 80: connections of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['127.0.0.1', '::1', false],
    ['2001:db8::1', '2001:db8::ffff', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
  ])('%s and %s count together: %s', (one, other, together) => {
    const { take } = placesOfAddresses(1);
    const leave = take(one);
    expect(take(one)).toBeUndefined();
    expect(take(other) === undefined).toBe(together);
    leave?.();
    expect(take(one)).toBeTypeOf('function');
  });
});
