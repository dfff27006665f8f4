import { describe, expect, it } from 'vitest';
import { baseBefore, baseOf } from './next-path.ts';

describe('the base path of Next.js', () => {
  it.each([
    ['/handler/sign-in', '/handler', ''],
    ['/handler/sign-in', '/shop/handler', '/shop'],
    ['/handler/sign-in', '/shop/de/handler/', '/shop/de'],
    ['/handler', 'https://app.example/shop/handler', '/shop'],
    ['/auth/x/sign-in', '/shop/auth/x', '/shop'],
    ['/elsewhere/sign-in', '/shop/handler', ''],
    ['/handlers/sign-in', '/shop/handler', ''],
  ])('at %s of an app whose handler is at %s is %j', (pathname, handler, base) => {
    expect(baseBefore(pathname, handler)).toBe(base);
  });

  it.each([
    ['/notes', '/notes', ''],
    ['/shop/notes', '/notes', '/shop'],
    ['/shop/notes/', '/notes', '/shop'],
    ['/shop', '/', '/shop'],
    ['/', '/', ''],
    ['/seen', '/rewritten', ''],
  ])('in a browser at %s, which Next.js calls %s, is %j', (browserPath, pathname, base) => {
    expect(baseOf(browserPath, pathname)).toBe(base);
  });
});
