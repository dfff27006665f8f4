import { expect, it, test } from 'vitest';
import { cookieHeaderOf, cookieHeaderWith, isCovered, signInAddress } from './next-routes.ts';

test.each<[string, string, boolean]>([
  ['/account', '/account', true],
  ['/account/', '/account', true],
  ['/account/keys', '/account', false],
  ['/accounts', '/account/*', false],
  ['/account', '/account/*', true],
  ['/account/keys/1', '/account/*', true],
  ['/', '/*', true],
  ['/anything', '/*', true],
  ['/', '/account', false],
  ['/%61ccount', '/account', true],
  ['/%61ccount/keys', '/account/*', true],
  ['/account%2Fkeys', '/account/*', true],
  ['//account', '/account', true],
  ['/account//keys', '/account/*', true],
  ['/konto/%C3%BCbersicht', '/konto/übersicht', true],
  ['/konto/übersicht', '/konto/%C3%BCbersicht', true],
  ['/%account', '/account', false],
])('the path %s and the pattern %s: %s', (path, pattern, expected) => {
  expect(isCovered(path, [pattern])).toBe(expected);
});

it('the sign-in address leads back, with query', () => {
  const url = 'https://shop.example/shop/account?tab=2';
  expect(signInAddress('/handler/sign-in', { here: '/shop/account?tab=2', url }).href).toBe(
    'https://shop.example/handler/sign-in?after_auth_return_to=%2Fshop%2Faccount%3Ftab%3D2',
  );
});

it('a cookie header has the new values, and no deleted ones', () => {
  const setCookie = ['b=2%20; Path=/; Max-Age=9; SameSite=Lax', 'c=; Path=/; Max-Age=0; SameSite=Lax'];
  expect(cookieHeaderWith('a=1; b=old; c=x; malformed', setCookie)).toBe('a=1; b=2%20');
});

it('control 37: a cookie header gets no __Host- cookie from a name that begins with a no-break space', () => {
  const setCookie = ['stack-refresh-p1=; Path=/; Max-Age=0; SameSite=Lax'];
  const planted = '\u00a0__Host-stack-refresh-p1=planted';
  expect(cookieHeaderWith(`stack-refresh-p1=ended; ${planted}`, setCookie)).toBe(planted);
});

it('a cookie header has the cookies that a server action has set or deleted since', () => {
  const jar = [
    { name: 'a', value: '["x","y"]' },
    { name: 'b', value: 'new;' },
    { name: 'c', value: '' },
    { name: 'd', value: 'added' },
  ];
  expect(cookieHeaderOf('a=%5B%22x%22%2C%22y%22%5D; b=old; c=x', jar)).toBe(
    'a=%5B%22x%22%2C%22y%22%5D; b=new%3B; d=added',
  );
});

it('a cookie header whose cookies are those of the jar stays as it is, with both values of one name', () => {
  const header = 'a=of-host; a=of-domain; b=%';
  expect(cookieHeaderOf(header, [{ name: 'a', value: 'of-domain' }])).toBe(header);
});
