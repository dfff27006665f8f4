import { expect, test } from 'vitest';
import { url as urlField } from './fields/fields.ts';
import { parseUrl } from './urls.ts';

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
