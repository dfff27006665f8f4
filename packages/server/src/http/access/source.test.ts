import { describe, expect, test } from 'vitest';
import { requestSource } from './source.ts';

interface Case {
  readonly peer?: string;
  readonly forwarded?: string;
  readonly hops?: number;
}

const traceId = '0123456789abcdef';

function sourceOf({ peer, forwarded, hops = 0 }: Case, isDevelopment = false) {
  const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  return requestSource(headers, { peerAddress: peer, traceId }, { trustedProxyHops: hops, isDevelopment });
}

const client = '203.0.113.7';
const proxy = '10.0.0.1';
const outerProxy = '10.0.0.2';

test.each([
  [0, null],
  [1, 'CH'],
])('with %i trusted proxies, the country of the header cf-ipcountry: CH is %s', (trustedProxyHops, country) => {
  const headers = new Headers({ 'cf-ipcountry': 'CH' });
  expect(
    requestSource(headers, { peerAddress: undefined, traceId }, { trustedProxyHops, isDevelopment: false }).countryCode,
  ).toBe(country);
});

describe('control 71: as many entries of x-forwarded-for are trusted as there are proxies', () => {
  test.each<[string, Case, string | undefined]>([
    ['without a socket', {}, undefined],
    ['without proxies', { peer: client }, client],
    ['without proxies, with a forged header', { peer: client, forwarded: '1.1.1.1' }, client],
    ['behind one proxy', { peer: proxy, forwarded: client, hops: 1 }, client],
    [
      'behind one proxy, with an entry of the client',
      { peer: proxy, forwarded: `1.1.1.1, ${client}`, hops: 1 },
      client,
    ],
    ['behind two proxies', { peer: proxy, forwarded: `1.1.1.1, ${client}, ${outerProxy}`, hops: 2 }, client],
    ['behind more proxies than entries', { peer: proxy, forwarded: client, hops: 5 }, client],
    ['when the proxy is bypassed', { peer: client, hops: 1 }, client],
    ['with an empty header', { peer: proxy, forwarded: '', hops: 1 }, proxy],
    ['with a malformed entry', { peer: proxy, forwarded: `${client}, unknown`, hops: 2 }, proxy],
    ['with a port', { peer: proxy, forwarded: `${client}:4711`, hops: 1 }, client],
    ['with brackets and a port', { peer: proxy, forwarded: '[2001:db8::7]:4711', hops: 1 }, '2001:db8::7'],
    ['with a legacy hexadecimal address', { peer: proxy, forwarded: '0x7f.1', hops: 1 }, proxy],
  ])('%s', (_, given, address) => {
    expect(sourceOf(given).address).toBe(address);
  });
});

describe('control 70: an address has one spelling, and an IPv6 address counts by its /64', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:1::00ff', '2001:db8:0:1::ff', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8::1', '2001:db8::/64'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/64'],
    ['::1', '::1', '::/64'],
  ])('%s', (peer, address, block) => {
    expect(sourceOf({ peer })).toMatchObject({ address, block });
  });
});

describe("a developer's own machine", () => {
  test.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.0.2', false],
    ['203.0.113.7', false],
  ])('%s: %s', (peer, isOwnMachine) => {
    expect(sourceOf({ peer }, true).isOwnMachine).toBe(isOwnMachine);
    expect(sourceOf({ peer }, false).isOwnMachine).toBe(false);
  });

  test('is not assumed for a forwarded request', () => {
    expect(sourceOf({ peer: '127.0.0.1', forwarded: client, hops: 1 }, true).isOwnMachine).toBe(false);
  });
});

test('a user agent that is too long is truncated', () => {
  const source = requestSource(
    new Headers({ 'user-agent': 'x'.repeat(10_000) }),
    { peerAddress: client, traceId },
    {
      trustedProxyHops: 0,
      isDevelopment: false,
    },
  );
  expect(source.userAgent).toHaveLength(500);
  expect(sourceOf({}).userAgent).toBeNull();
});
