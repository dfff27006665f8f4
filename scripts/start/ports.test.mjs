import { expect, test } from 'vitest';
import { addressOf } from './ports.mjs';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4280'],
  ['192.168.1.5', 'http://192.168.1.5:4280'],
  ['tessera.lan', 'http://tessera.lan:4280'],
  ['::1', 'http://[::1]:4280'],
  ['0.0.0.0', 'http://127.0.0.1:4280'],
  ['::', 'http://[::1]:4280'],
])('a server with HOST=%s is reached at %s', (host, address) => {
  expect(addressOf(host, 4280)).toBe(address);
});
