import { describe, expect, test } from 'vitest';
import { decideTrust, hasWildcard, isTrustedUrl } from './trusted-domains.ts';

const domains = (...entries: string[]) => entries.map(domain => ({ domain }));
const onlyLocal = { allowLocalhost: true, domains: [] };
const onlyDomain = { allowLocalhost: false, domains: domains('https://app.example.com') };

describe('a callback URL of a project with localhost allowed and no domain', () => {
  test.each([
    ['http://localhost', 'the name'],
    ['http://localhost:3000/a?b=c#d', 'any port, path, query and fragment'],
    ['https://LOCALHOST/', 'any letter case'],
    ['http://app.localhost/', 'a name below it'],
    ['http://a.b.localhost/', 'deeper below it'],
    ['http://127.0.0.1/', 'the address'],
    ['http://127.255.255.254/', 'the whole block'],
    ['http://127.1/', 'the short form of the address'],
    ['http://0x7f.1/', 'its hexadecimal form'],
    ['http://2130706433/', 'its decimal form'],
    ['http://①27.0.0.1/', 'digits that the parser maps to ASCII'],
    ['http://lo\tcal\nhost/', 'what the parser skips'],
    ['myapp://localhost/callback', 'any scheme'],
  ])('trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyLocal)).toBe(true);
  });

  test.each([
    ['https://example.com/', 'another host'],
    ['http://localhost.example.com/', 'localhost as a label of another host'],
    ['http://notlocalhost/', 'a name that ends alike'],
    ['http://localhost./', 'a trailing dot'],
    ['http://127.0.0.1.example.com/', 'an address as labels of another host'],
    ['http://128.0.0.1/', 'the next block'],
    ['http://0.0.0.0/', 'the unspecified address'],
    ['http://[::1]/', 'IPv6 loopback'],
    ['http://[::ffff:127.0.0.1]/', 'IPv4 mapped into IPv6'],
    ['http://localhost@evil.com/', 'localhost as a user name'],
    ['http://evil.com@localhost/', 'another host as a user name'],
    ['http://user:secret@localhost/', 'a user name and a password'],
    ['http://evil.com\\@localhost/', 'a backslash that ends the host'],
    ['http://evil.com#@localhost/', 'a fragment that ends the host'],
    ['http://evil.com?@localhost/', 'a query that ends the host'],
    ['localhost:3000', 'a scheme named localhost'],
    ['//localhost/', 'no scheme'],
    ['/handler', 'a path'],
    ['', 'an empty URL'],
    ['http://', 'no host'],
    ['javascript:alert(1)', 'a script'],
    ['javascript://localhost/%0aalert(1)', 'a script URL in the form of an address'],
    ['vbscript://localhost/', 'a script of another language'],
    ['intent://localhost/x#Intent;end', 'a scheme whose URL names a fallback address'],
    ['file://localhost/etc/passwd', 'a file'],
    ['data://localhost/,hello', 'a document in the URL'],
    ['data:text/html,hello', 'a document in the URL'],
    ['blob:http://localhost/1', 'a blob URL'],
    ['about:blank', 'a page of the browser'],
  ])('not trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyLocal)).toBe(false);
  });
});

describe('control 47: a callback URL of a project with one domain', () => {
  test.each([
    ['https://app.example.com', 'itself'],
    ['https://app.example.com/', 'its root'],
    ['https://app.example.com/any/path?query=1#fragment', 'any path, query and fragment'],
    ['https://app.example.com:8443/', 'any port'],
    ['https://APP.Example.COM/', 'any letter case'],
    ['HTTPS://app.example.com/', 'a scheme in capitals'],
    ['https:app.example.com', 'slashes that the parser adds'],
    ['https:\\\\app.example.com\\path', 'backslashes that the parser turns'],
    ['https://app.exa\tmple.com/', 'a tab that the parser skips'],
    ['https://app.example.com\\@evil.com/', 'a backslash that ends the host'],
    ['https://app.example.com/@evil.com', 'another host in the path'],
    ['https://app%2eexample%2ecom/', 'encoded dots'],
    ['https://ａｐｐ.example.com/', 'wide letters'],
  ])('trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyDomain)).toBe(true);
  });

  test.each([
    ['http://app.example.com/', 'another scheme'],
    ['https://example.com/', 'the parent'],
    ['https://x.app.example.com/', 'a child'],
    ['https://app.example.com.evil.com/', 'the name as labels of another'],
    ['https://app.example.com./', 'a trailing dot'],
    ['https://app-example.com/', 'a dot that matches anything'],
    ['https://app.example.com@evil.com/', 'the name as a user name'],
    ['https://evil.com@app.example.com/', 'another as a user name'],
    ['https://evil.com/https://app.example.com/', 'the name in the path'],
    ['https://evil.com\\.app.example.com/', 'a backslash that ends the host'],
    ['//app.example.com/', 'no scheme'],
    ['http://localhost/', 'localhost'],
    ['https://127.0.0.1/', 'an address'],
  ])('not trusted: %j, %s', url => {
    expect(isTrustedUrl(url, onlyDomain)).toBe(false);
  });
});

describe('a trusted domain', () => {
  test.each([
    ['https://example.com/app', 'https://example.com/app', true],
    ['https://example.com/app', 'https://example.com/app/deep', true],
    // The prefix ignores path segments: docs/contract/sign-in-methods.md#callback-urls
    ['https://example.com/app', 'https://example.com/application', true],
    ['https://example.com/app', 'https://example.com/APP', false],
    ['https://example.com/app', 'https://example.com/', false],
    ['https://example.com/app', 'https://example.com/app/../admin', false],
    ['https://example.com/app', 'https://example.com/app/%2e%2e/admin', false],
    ['https://example.com/app/', 'https://example.com/app', false],
    ['https://example.com:8443', 'https://example.com/', true],
    ['https://EXAMPLE.com', 'https://example.com/', true],
    ['https://bücher.example', 'https://xn--bcher-kva.example/', true],
    ['https://xn--bcher-kva.example', 'https://BÜCHER.example/', true],
    // A Cyrillic letter
    ['https://apple.com', 'https://аpple.com/', false],
    ['https://*.example.com', 'https://app.example.com/', false],
    ['https://*.example.com', 'https://*.example.com/', true],
    ['http://localhost:3000', 'http://localhost:4000/', true],
    ['http://[::1]:3000', 'http://[0:0:0:0:0:0:0:1]/', true],
    ['example.com', 'https://example.com/', false],
    ['not a url', 'https://example.com/', false],
  ])('%s lets %s pass: %s', (domain, url, expected) => {
    expect(isTrustedUrl(url, { allowLocalhost: false, domains: domains(domain) })).toBe(expected);
  });

  test('that is not a URL is skipped', () => {
    const config = { allowLocalhost: false, domains: domains('nonsense', 'https://example.com') };
    expect(isTrustedUrl('https://example.com/', config)).toBe(true);
  });

  test('is enough when it is one of several', () => {
    const config = { allowLocalhost: false, domains: domains('https://a.example', 'https://b.example/x') };
    expect(isTrustedUrl('https://b.example/x/y', config)).toBe(true);
  });
});

const shop = {
  allowLocalhost: true,
  domains: [
    { domain: 'https://app.example.com' },
    { domain: 'https://example.org/shop' },
    { domain: 'https://*.example.net' },
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
  expect(decideTrust(url, shop)).toEqual({ isTrusted, reason, subject });
});

test('a local address is refused when localhost is not allowed', () => {
  const verdict = decideTrust('http://localhost:5173/', { ...shop, allowLocalhost: false });
  expect(verdict).toEqual({ isTrusted: false, reason: 'local-forbidden', subject: '' });
});

test.each([
  ['https://*.example.com', true],
  ['https://app.example.com', false],
])('the trusted domain %s has a wildcard: %s', (domain, expected) => {
  expect(hasWildcard(domain)).toBe(expected);
});
