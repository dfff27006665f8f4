import { expect, test } from 'vitest';
import { cookieText, deletionTexts, parseCookies, tokensFrom } from './cookies.ts';

const pair = (refresh: string, access: string) => encodeURIComponent(JSON.stringify([refresh, access]));

test.each([
  ['', null, null],
  ['other=1', null, null],
  ['stack-refresh-p1=r', null, 'r'],
  ['stack-refresh-p2=r', null, null],
  ['stack-refresh=old', null, 'old'],
  ['stack-refresh=old; stack-refresh-p1=r', null, 'r'],
  [`stack-refresh-p1=r; stack-access=${pair('r', 'a')}`, 'a', 'r'],
  [`stack-refresh-p1=r; stack-access=["r","a"]`, 'a', 'r'],
  [`stack-refresh-p1=r; stack-access=${pair('another', 'a')}`, null, 'r'],
  ['stack-refresh-p1=r; stack-access=a', null, 'r'],
  ['stack-refresh-p1=r; stack-access=["r"', null, 'r'],
  [`stack-access=${pair('r', 'a')}`, null, null],
  ['stack-refresh-p1=', null, null],
  ['stack-refresh-p1=%', null, '%'],
])('from %j come access %j and refresh %j', (text, accessToken, refreshToken) => {
  expect(tokensFrom(parseCookies(text), 'p1')).toEqual({ accessToken, refreshToken });
});

test('control 38: of two cookies with one name the last counts, which has the shorter path', () => {
  const text = `stack-refresh-p1=stale; stack-refresh-p1=r; stack-access=${pair('stale', 'x')}; stack-access=${pair('r', 'a')}`;
  expect(tokensFrom(parseCookies(text), 'p1')).toEqual({ accessToken: 'a', refreshToken: 'r' });
});

test('control 37: a cookie is Lax, at the root path, and Secure on https', () => {
  expect(cookieText('n', 'a b', { maxAgeSeconds: 60, isSecure: true })).toBe(
    'n=a%20b; Path=/; Max-Age=60; SameSite=Lax; Secure',
  );
  expect(cookieText('n', 'v', { maxAgeSeconds: 60 })).toBe('n=v; Path=/; Max-Age=60; SameSite=Lax');
});

test('control 38: deleting covers every path, domain and prefix that the page could have written', () => {
  const texts = deletionTexts('n', new URL('https://app.shop.example/a/b'));
  const where = texts.map(text => text.replace('; Max-Age=0; SameSite=Lax; Secure', ''));
  expect(where).toContain('n=; Path=/');
  expect(where).toContain('n=; Path=/a/b; Domain=shop.example');
  expect(where).toContain('__Host-n=; Path=/');
  expect(where.some(text => text.endsWith('Domain=example'))).toBe(false);
  expect(deletionTexts('n', new URL('http://localhost:4281/'))).toEqual(['n=; Path=/; Max-Age=0; SameSite=Lax']);
});
