import { expect, test } from 'vitest';
import { addressOf, portAdvice } from './ports.mjs';

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

test('a port that another Tessera uses leads to every variable that one more needs, with values that are not used', () => {
  expect(portAdvice({ port: 4280, variable: 'PORT', isOurs: true })).toContain(
    'PORT=4380 DEMO_PORT=4381 TESSERA_DATA_DIR=.tessera-4380 npm start',
  );
  expect(portAdvice({ port: 4381, variable: 'DEMO_PORT', isOurs: true })).toContain(
    'PORT=4480 DEMO_PORT=4481 TESSERA_DATA_DIR=.tessera-4480 npm start',
  );
});

test('a port that another program uses leads to its variable', () => {
  expect(portAdvice({ port: 4280, variable: 'PORT', isOurs: false })).toContain('PORT=4380 npm start');
});
