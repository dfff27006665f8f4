import { expect, test } from 'vitest';
import { domainFlaw, hasPort, validateDomain } from './domain-form.ts';
import { words } from './words.ts';

const known = [{ domain: 'https://app.example.com', handlerPath: '/handler' }];

test.each([
  ['https://shop.example.com', '/handler', {}],
  ['http://shop.example.com', '/', {}],
  ['shop.example.com', '/handler', { domain: words.domainWrong }],
  ['https://shop.example.com/path', '/handler', { domain: words.domainWrong }],
  ['https://*.example.com', '/handler', { domain: words.domainWildcard }],
  ['https://app.example.com/', '/handler', { domain: words.domainKnown }],
  ['https://shop.example.com', 'handler', { handlerPath: words.handlerPathWrong }],
])('a new domain %s with the path %s has the expected problems', (domain, handlerPath, expected) => {
  const problems = Object.entries(validateDomain({ domain, handlerPath }, known)).filter(([, problem]) => problem);
  expect(Object.fromEntries(problems)).toEqual(expected);
});

test.each([
  ['https://app.example.com', undefined],
  ['http://app.example.com', words.notHttps],
  ['https://*.example.com', words.literalWildcard],
])('the trusted domain %s has the flaw %s', (domain, expected) => {
  expect(domainFlaw(domain)).toBe(expected);
});

test.each([
  ['https://app.example.com:8443', true],
  ['https://app.example.com:443', false],
  ['https://app.example.com', false],
  ['app:8443', false],
])('the typed domain %s names a port: %s', (typed, expected) => {
  expect(hasPort(typed)).toBe(expected);
});
