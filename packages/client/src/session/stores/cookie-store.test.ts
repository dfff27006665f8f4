import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowser } from '../../test/browser.ts';
import { noConnection } from '../../test/stub-server.ts';
import { createCookieStore } from './cookie-store.ts';
import type { CookieScope } from './cookies.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ada = { accessToken: 'a', refreshToken: 'r' };
const noTokens = { accessToken: null, refreshToken: null };

const thisHost = { projectId: 'p1', cookieDomain: undefined };

function openStore(browser = createBrowser(), start?: string, scope: CookieScope = thisHost) {
  const { page } = browser.openTab(noConnection, start);
  return { browser, page, store: createCookieStore(page, scope) };
}

test('control 37: tokens are written with the documented names, lifetimes and attributes', () => {
  const { browser, store } = openStore();
  store.set(ada);
  expect(browser.cookies.written.filter(text => !text.includes('Max-Age=0'))).toEqual([
    'stack-is-https=true; Path=/; SameSite=Lax; Secure',
    'stack-access=%5B%22r%22%2C%22a%22%5D; Path=/; Max-Age=86400; SameSite=Lax; Secure',
    'stack-refresh-p1=r; Path=/; Max-Age=31536000; SameSite=Lax; Secure',
    'stack-is-https=true; Path=/; SameSite=Lax; Secure',
  ]);
});

test('control 37: on http no cookie is Secure, and no cookie says https', () => {
  const { browser, store } = openStore(createBrowser(), 'http://localhost:4281/');
  store.set(ada);
  expect(browser.cookies.names()).toEqual(['stack-access', 'stack-refresh-p1']);
  expect(browser.cookies.written.join()).not.toContain('Secure');
});

test('a new access token also renews the life of the refresh cookie', () => {
  const { browser, store } = openStore();
  store.set(ada);
  browser.cookies.written.length = 0;
  store.set({ ...ada, accessToken: 'b' });
  expect(browser.cookies.written).toContain('stack-refresh-p1=r; Path=/; Max-Age=31536000; SameSite=Lax; Secure');
});

test('a browser store with a cookieDomain replaces the cookies of the domain and writes none for the host alone', () => {
  const scope = { projectId: 'p1', cookieDomain: 'shop.example' };
  const { browser, page, store } = openStore(createBrowser(), 'https://app.shop.example/', scope);
  store.set(ada);
  store.set({ ...ada, accessToken: 'b' });
  expect(browser.cookies.names()).toEqual(['stack-access', 'stack-is-https', 'stack-refresh-p1']);
  page.cookies.write('stack-refresh-p1=; Path=/; Domain=shop.example; Max-Age=0');
  expect(browser.cookies.names()).toEqual(['stack-access', 'stack-is-https']);
  store.set(noTokens);
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});

test('null tokens delete their cookies', () => {
  const { browser, store } = openStore();
  store.set(ada);
  store.set(noTokens);
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});

test('control 38: writing removes the legacy name and variants with another path or domain', () => {
  const browser = createBrowser();
  const { page } = browser.openTab(noConnection, 'https://app.shop.example/handler/sign-in');
  page.cookies.write('stack-refresh=legacy; Path=/');
  page.cookies.write('stack-refresh-p1=by-path; Path=/handler');
  page.cookies.write('stack-refresh-p1=by-domain; Path=/; Domain=shop.example');
  const store = createCookieStore(page, thisHost);
  store.set(ada);
  expect(browser.cookies.names()).toEqual(['stack-access', 'stack-is-https', 'stack-refresh-p1']);
  expect(store.get()).toEqual(ada);
});

test('control 38: deleting removes every variant that could restore the session', () => {
  const browser = createBrowser();
  const { page } = browser.openTab(noConnection, 'https://app.shop.example/handler/sign-in');
  const store = createCookieStore(page, thisHost);
  store.set(ada);
  page.cookies.write('stack-refresh-p1=by-path; Path=/handler');
  store.set(noTokens);
  expect(store.get()).toEqual(noTokens);
});

test('control 41: another tab is notified at once', async () => {
  const browser = createBrowser();
  const one = openStore(browser).store;
  const two = openStore(browser).store;
  const listener = vi.fn();
  two.subscribe(listener);
  one.set(ada);
  await vi.advanceTimersByTimeAsync(0);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(two.get()).toEqual(ada);
});

test('control 41: without BroadcastChannel another tab notices a change within 100 ms', async () => {
  const browser = createBrowser({ withChannels: false });
  const one = openStore(browser).store;
  const two = openStore(browser).store;
  const listener = vi.fn();
  two.subscribe(listener);
  one.set(ada);
  await vi.advanceTimersByTimeAsync(99);
  expect(listener).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('cookies are polled only while there are listeners', () => {
  const { store } = openStore();
  const undo = store.subscribe(() => {});
  expect(vi.getTimerCount()).toBe(1);
  undo();
  expect(vi.getTimerCount()).toBe(0);
});

test('the access token survives the loss of its cookie, but not the loss of the refresh cookie', () => {
  const { store, page } = openStore();
  store.set(ada);
  page.cookies.write('stack-access=; Path=/; Max-Age=0');
  expect(store.get()).toEqual(ada);
  page.cookies.write('stack-refresh-p1=; Path=/; Max-Age=0');
  expect(store.get()).toEqual(noTokens);
});

test('where cookies are blocked the page holds the tokens until a write succeeds', () => {
  const browser = createBrowser();
  const { page } = browser.openTab(noConnection);
  const write = vi.spyOn(page.cookies, 'write').mockImplementation(() => {});
  const store = createCookieStore(page, thisHost);
  store.set(ada);
  expect(store.get()).toEqual(ada);
  write.mockRestore();
  store.set({ ...ada, accessToken: 'b' });
  browser.cookies.clear();
  expect(store.get()).toEqual(noTokens);
});
