import { expect, it } from 'vitest';
import { routerPath } from './router-path.ts';

const here = 'https://app.example/shop/items?page=2';

it.each([
  { to: '/notes', base: '/', path: '/notes' },
  {
    to: '/handler/sign-in?after_auth_return_to=%2Fnotes#top',
    base: '/',
    path: '/handler/sign-in?after_auth_return_to=%2Fnotes#top',
  },
  { to: '?page=3', base: '/', path: '/shop/items?page=3' },
  { to: 'https://app.example/notes', base: '/', path: '/notes' },
  { to: '/shop/handler/sign-in', base: '/shop', path: '/handler/sign-in' },
  { to: '/shop/handler/sign-in', base: '/shop/', path: '/handler/sign-in' },
  { to: '/shop', base: '/shop', path: '/' },
  { to: '/shop?from=mail', base: '/shop', path: '/?from=mail' },
])('$to is $path of a router at $base', ({ to, base, path }) => {
  expect(routerPath(to, { base, here })).toBe(path);
});

it.each([
  { to: 'https://elsewhere.example/notes', base: '/' },
  { to: '//elsewhere.example/notes', base: '/' },
  { to: '/shopping', base: '/shop' },
  { to: '/', base: '/shop' },
  { to: '/..//elsewhere.example/notes', base: '/' },
  { to: '/shop//elsewhere.example/notes', base: '/shop' },
  { to: 'mailto:ada@example.com', base: '/' },
])('$to lies outside of a router at $base', ({ to, base }) => {
  expect(routerPath(to, { base, here })).toBeUndefined();
});
