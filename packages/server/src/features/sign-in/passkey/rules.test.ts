import { describe, expect, test } from 'vitest';
import { isCredentialId, originVerdict, transportsToKeep, userHandleOf } from './rules.ts';

const domains = (...list: string[]) => list.map(domain => ({ domain, handlerPath: '/handler' }));

describe('control 65: the pages that may use passkeys', () => {
  const config = {
    allowLocalhost: false,
    domains: domains(
      'https://app.example',
      'https://app.example:8443',
      'http://127.0.0.1:3000',
      'https://path.example/app',
      'https://slash.example/',
      'https://*.wild.example',
      'not a domain',
    ),
  };

  test.each([
    ['https://app.example', 'trusted'],
    ['https://app.example:8443', 'trusted'],
    ['http://127.0.0.1:3000', 'trusted'],
    ['https://app.example:444', 'untrusted'],
    ['http://app.example', 'untrusted'],
    ['https://APP.example', 'untrusted'],
    ['https://app.example/', 'untrusted'],
    ['https://app.example.evil', 'untrusted'],
    ['https://sub.app.example', 'untrusted'],
    ['https://app.example@evil.example', 'untrusted'],
    ['https://path.example', 'untrusted'],
    ['https://path.example/app', 'untrusted'],
    ['https://slash.example', 'untrusted'],
    ['https://sub.wild.example', 'untrusted'],
    ['http://127.0.0.1:3001', 'untrusted'],
    ['http://app.localhost', 'untrusted'],
    ['http://localhost:3000', 'untrusted'],
    ['null', 'no origin'],
    ['not a domain', 'no origin'],
    ['', 'no origin'],
    ['/relative', 'no origin'],
  ])('the origin %s is %s', (origin, verdict) => {
    expect(originVerdict(origin, config)).toBe(verdict);
  });

  test.each([
    ['http://localhost', 'trusted'],
    ['http://localhost:3000', 'trusted'],
    ['https://localhost:8443', 'trusted'],
    ['http://localhost:3000/', 'untrusted'],
    ['http://localhost:3000/page', 'untrusted'],
    ['http://user@localhost', 'untrusted'],
    ['javascript://localhost', 'untrusted'],
    ['http://127.0.0.1:3000', 'untrusted'],
    ['http://app.localhost', 'untrusted'],
    ['http://localhost.evil.example', 'untrusted'],
  ])('where localhost is allowed the origin %s is %s', (origin, verdict) => {
    expect(originVerdict(origin, { allowLocalhost: true, domains: [] })).toBe(verdict);
  });
});

test('the user handle is the text of the id in 48 characters', () => {
  const handle = userHandleOf('3241a285-8329-4d69-8f3d-316e08cf140c');
  expect(handle).toHaveLength(48);
  expect(Buffer.from(handle, 'base64url').toString()).toBe('3241a285-8329-4d69-8f3d-316e08cf140c');
});

test.each([
  [1, true],
  [1023, true],
  [1024, false],
])('a credential id of %i bytes can be stored: %s', (length, can) => {
  expect(isCredentialId(Buffer.alloc(length, 1).toString('base64url'))).toBe(can);
});

test.each([
  [undefined, []],
  [[], []],
  [
    ['internal', 'hybrid', 'internal'],
    ['internal', 'hybrid'],
  ],
  [['carrier-pigeon', 'usb'], ['usb']],
])('of the transports %j the known ones are stored: %j', (given, kept) => {
  expect(transportsToKeep(given)).toEqual(kept);
});
