import { expect, test } from 'vitest';
import { url as urlField } from './fields/fields.ts';
import { isLocalHost, isLoopbackHost, parseUrl } from './urls.ts';

test('a text that is not a URL is undefined', () => {
  expect(parseUrl('')).toBeUndefined();
  expect(parseUrl('example.com')).toBeUndefined();
  expect(parseUrl('https://[::1')).toBeUndefined();
});

test('a relative URL needs a base', () => {
  expect(parseUrl('/handler')).toBeUndefined();
  expect(parseUrl('/handler', 'https://example.com/app')?.href).toBe('https://example.com/handler');
});

// V8 optimizes a function after some thousand calls. An optimized URL.canParse refused these texts on Node 20.
test('a URL with letters such as "ü" is still accepted after 20,000 calls', () => {
  const refused: number[] = [];
  for (let call = 0; call < 20_000; call++) {
    if (parseUrl('https://bücher.example/')?.hostname !== 'xn--bcher-kva.example') refused.push(call);
  }
  expect(refused).toEqual([]);
});

test('the URL field still accepts a URL with letters such as "ü" after 20,000 calls', () => {
  const refused: number[] = [];
  for (let call = 0; call < 20_000; call++) {
    if (!urlField.safeParse('https://bücher.example/').success) refused.push(call);
  }
  expect(refused).toEqual([]);
});

test.each([
  ['localhost', true, true],
  ['127.0.0.1', true, true],
  ['127.0.0.2', true, false],
  ['app.localhost', true, false],
  ['[::1]', false, true],
  ['localhost.example', false, false],
  ['128.0.0.1', false, false],
])('the host %s is local: %s, a usual name of this machine: %s', (hostname, isLocal, isLoopback) => {
  expect(isLocalHost(hostname)).toBe(isLocal);
  expect(isLoopbackHost(hostname)).toBe(isLoopback);
});
