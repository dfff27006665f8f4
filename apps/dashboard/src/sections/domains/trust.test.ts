import { expect, test } from 'vitest';
import { explainTrust } from './trust.ts';

const config = {
  allowLocalhost: true,
  domains: [
    { domain: 'https://app.example.com', handlerPath: '/handler' },
    { domain: 'https://example.org/shop', handlerPath: '/handler' },
    { domain: 'https://*.example.net', handlerPath: '/handler' },
  ],
};

test.each([
  ['https://app.example.com/welcome?a=b', true, 'domain-matches', 'https://app.example.com'],
  ['https://app.example.com:8443/', true, 'domain-matches', 'https://app.example.com'],
  ['https://example.org/shop/cart', true, 'domain-matches', 'https://example.org/shop'],
  ['https://example.org/shopping', true, 'domain-matches', 'https://example.org/shop'],
  ['https://example.org/', false, 'other-path', 'https://example.org/shop'],
  ['http://app.example.com/', false, 'other-scheme', 'https://app.example.com'],
  ['https://example.com/', false, 'unknown-host', 'example.com'],
  ['https://app.example.com.attacker.test/', false, 'unknown-host', 'app.example.com.attacker.test'],
  ['https://one.example.net/', false, 'unknown-host', 'one.example.net'],
  ['https://app.example.com@attacker.test/', false, 'has-credentials', ''],
  ['http://localhost:5173/', true, 'local-allowed', ''],
  ['myapp://app.localhost/', true, 'local-allowed', ''],
  ['http://127.0.0.1:3000/', true, 'local-allowed', ''],
  ['javascript://localhost/%0aalert(1)', false, 'scheme-refused', 'javascript'],
  ['/welcome', false, 'not-absolute', ''],
  ['app.example.com', false, 'not-absolute', ''],
] as const)('the address %s has the verdict %s: %s', (url, isTrusted, reason, subject) => {
  expect(explainTrust(url, config)).toEqual({ isTrusted, reason, subject });
});

test('a local address is refused when localhost is not allowed', () => {
  const verdict = explainTrust('http://localhost:5173/', { ...config, allowLocalhost: false });
  expect(verdict).toEqual({ isTrusted: false, reason: 'local-forbidden', subject: '' });
});
