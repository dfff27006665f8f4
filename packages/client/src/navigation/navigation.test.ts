import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Config, resolveConfig } from '../app/config/config.ts';
import { machine, settings } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { noConnection } from '../test/stub-server.ts';
import { callbackUrl, callbackUrlOf } from './callback-url.ts';
import { createNavigation, isRelative, targetOf } from './navigation.ts';
import { type HandlerUrls, resolveUrls } from './urls.ts';

describe('control 48: trusted addresses', () => {
  test.each([
    '/',
    '/home',
    'home',
    '?a=1',
    '#part',
    '/a/../b',
    '/search?next=//evil.example',
    '/search?next=https%3A%2F%2Fevil.example',
    '/100%',
    '/@evil.example',
  ])('%j is relative', url => expect(isRelative(url)).toBe(true));

  test.each([
    'https://shop.example/home',
    'http://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'blob:https://shop.example/1',
    'mailto:ada@example.com',
    'https:evil.example',
    'http:evil.example',
    'https://user@shop.example',
    '/..//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/.%2e//evil.example',
    '..//evil.example',
    '/..\\/evil.example',
    '/%2e%2e%2f%2fevil.example',
  ])('%j is not relative', url => expect(isRelative(url)).toBe(false));
});

describe('redirect targets', () => {
  const urls = resolveUrls({ signIn: '/in', afterSignIn: '/welcome' });
  const at = (href: string) => new URL(href, 'https://shop.example');

  test.each<[keyof HandlerUrls, string, string]>([
    ['signIn', '/cart?x=1#top', '/in?after_auth_return_to=%2Fcart%3Fx%3D1%23top'],
    ['signUp', '/in?after_auth_return_to=%2Fcart', '/handler/sign-up?after_auth_return_to=%2Fcart'],
    ['afterSignIn', '/in?after_auth_return_to=%2Fcart', '/cart'],
    ['afterSignUp', '/in?after_auth_return_to=%2Fcart', '/cart'],
    ['afterSignIn', '/in', '/welcome'],
    ['afterSignUp', '/in', '/welcome'],
    ['home', '/in?after_auth_return_to=%2Fcart', '/'],
    ['mfa', '/in?after_auth_return_to=%2Fcart', '/handler/mfa?after_auth_return_to=%2Fcart'],
    ['mfa', '/in', '/handler/mfa'],
  ])('%s from %s goes to %s', (page, from, target) => expect(targetOf(page, urls, at(from))).toBe(target));

  test('on a server no return address is stored', () => {
    expect(targetOf('signIn', urls, undefined)).toBe('/in');
  });

  test('a sign-in URL on this host is reduced to its path, and one on another host keeps its host', () => {
    const own = resolveUrls({ signIn: 'https://shop.example/in' });
    expect(targetOf('signIn', own, at('/cart'))).toBe('/in?after_auth_return_to=%2Fcart');
    const foreign = resolveUrls({ signIn: 'https://auth.example/in' });
    expect(targetOf('signIn', foreign, at('/cart'))).toBe('https://auth.example/in');
  });

  test('a callback URL is absolute, has the return address and no hash', () => {
    const from = at('/in?after_auth_return_to=%2Fcart#x');
    expect(callbackUrlOf('/handler/email-verification#y', from)).toBe(
      'https://shop.example/handler/email-verification?after_auth_return_to=%2Fcart',
    );
  });
});

describe('navigation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open(redirectMethod: Config['redirectMethod'], urls: Partial<HandlerUrls> = {}, start?: string) {
    const tab = createBrowser().openTab(noConnection, start);
    return {
      ...tab,
      navigation: createNavigation(
        { urls: resolveUrls(urls), redirectMethod, next: undefined, tokenStore: 'cookie' },
        tab.platform,
      ),
    };
  }

  test('the method `window` assigns or replaces, and returns after two seconds', async () => {
    const { navigation, visited } = open('window');
    const returned = vi.fn();
    void navigation.toPage('home').then(returned);
    await vi.advanceTimersByTimeAsync(1999);
    expect(returned).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(returned).toHaveBeenCalled();
    void navigation.toPage('home', { replace: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(visited).toEqual(['assign /', 'replace /']);
  });

  test('the method `none` does not navigate and returns at once', async () => {
    const { navigation, visited } = open('none');
    await navigation.toPage('home');
    expect(visited).toEqual([]);
  });

  test('an object navigates through its own function, or falls back to the window', async () => {
    const navigate = vi.fn();
    const own = open({ useNavigate: () => () => {}, navigate });
    void own.navigation.toPage('home', { replace: true });
    const fallback = open({ useNavigate: () => () => {} });
    void fallback.navigation.toPage('home', { replace: true });
    await vi.advanceTimersByTimeAsync(2000);
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
    expect(own.visited).toEqual([]);
    expect(fallback.visited).toEqual(['replace /']);
  });

  test('an object with `replacePage` uses it where a page takes the place of the current one', async () => {
    const [navigate, replacePage] = [vi.fn(), vi.fn()];
    const { navigation } = open({ useNavigate: () => () => {}, navigate, replacePage });
    void navigation.toPage('afterSignIn', { replace: true });
    void navigation.toPage('signOut');
    await vi.advanceTimersByTimeAsync(2000);
    expect(replacePage).toHaveBeenCalledExactlyOnceWith('/');
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/sign-out');
  });

  test('control 48: an untrusted return address in the page URL is refused', async () => {
    const start = 'https://shop.example/in?after_auth_return_to=%2F%2Fevil.example';
    const { navigation, visited } = open('window', {}, start);
    await expect(navigation.toPage('afterSignIn')).rejects.toThrow('Redirect URL is not trusted; should be relative');
    expect(visited).toEqual([]);
  });

  test('noRedirectBack drops the return address', async () => {
    const { navigation, visited } = open('window', {}, 'https://shop.example/in?after_auth_return_to=%2Fcart');
    void navigation.toPage('afterSignIn', { noRedirectBack: true });
    await vi.waitFor(() => expect(visited).toHaveLength(1));
    void navigation.toPage('signUp', { noRedirectBack: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(visited).toEqual(['assign /', 'assign /handler/sign-up']);
  });

  test('control 44: two pages that redirect to each other end on the error page', async () => {
    const { navigation, visited } = open('window', {}, 'https://shop.example/cart');
    const bounce = async () => {
      void navigation.toPage('signIn', { replace: true });
      await vi.waitFor(() => vi.advanceTimersByTimeAsync(1000), { timeout: 20_000 });
      void navigation.toPage('afterSignIn', { replace: true });
      await vi.advanceTimersByTimeAsync(1000);
    };
    for (let round = 0; round < 3; round++) await bounce();
    expect(visited.slice(0, 4).every(visit => !visit.includes('error'))).toBe(true);
    expect(visited[4]).toMatch(/^replace \/handler\/error\?errorCode=REDIRECT_LOOP&message=.*sending\+you/);
  });

  test.each(['afterSignIn', 'afterSignUp'] as const)(
    'where the browser refuses cookies, %s is the error page that asks to allow them',
    async target => {
      const { navigation, page, visited } = open('window');
      Object.assign(page, { cookies: { read: () => '', write: () => {} } });
      void navigation.toPage(target, { replace: true });
      await vi.advanceTimersByTimeAsync(1000);
      expect(visited).toEqual([expect.stringMatching(/^replace \/handler\/error\?errorCode=REDIRECT_LOOP/)]);
    },
  );

  test('an object that does not navigate, as in Next.js, loads the page and loses the session too', async () => {
    const { navigation, page, visited } = open({ useNavigate: () => () => {} });
    Object.assign(page, { cookies: { read: () => '', write: () => {} } });
    void navigation.toPage('afterSignIn', { replace: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(visited).toEqual([expect.stringContaining('errorCode=REDIRECT_LOOP')]);
  });

  test('the test of the cookies before the page after the sign-in leaves no cookie', async () => {
    const { navigation, page, visited } = open('window');
    void navigation.toPage('afterSignIn');
    await vi.advanceTimersByTimeAsync(1000);
    expect(visited).toEqual(['assign /']);
    expect(page.cookies.read()).toBe('');
  });

  test('a router keeps the session of a page whose cookies are refused', async () => {
    const navigate = vi.fn();
    const { navigation, page } = open({ useNavigate: () => () => {}, navigate });
    Object.assign(page, { cookies: { read: () => '', write: () => {} } });
    void navigation.toPage('afterSignIn');
    await vi.advanceTimersByTimeAsync(1000);
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });

  test('control 44: occasional sign-ins and clicks are not a redirect loop', async () => {
    const { navigation, visited } = open('window');
    for (let round = 0; round < 5; round++) {
      void navigation.toPage('signIn', { replace: true });
      await vi.waitFor(() => vi.advanceTimersByTimeAsync(6000), { timeout: 20_000 });
    }
    for (let round = 0; round < 5; round++) void navigation.toPage('signIn');
    await vi.advanceTimersByTimeAsync(1000);
    expect(visited.filter(visit => visit.includes('error'))).toEqual([]);
    expect(visited).toHaveLength(10);
  });

  test('control 44: several pages that are opened without a user are not a redirect loop', async () => {
    const { navigation, page, visited } = open('window');
    for (const path of ['/cart', '/orders', '/settings', '/cart', '/orders']) {
      page.showAddress(path);
      void navigation.toPage('signIn', { replace: true });
      await vi.waitFor(() => vi.advanceTimersByTimeAsync(1500), { timeout: 20_000 });
    }
    expect(visited.filter(visit => visit.includes('error'))).toEqual([]);
    expect(visited).toHaveLength(5);
  });

  test('an automatic redirect to the sign-in page waits for a redirect in progress', async () => {
    const { navigation, page, visited } = open('window', {}, 'https://shop.example/settings');
    let arrive = () => {};
    // Navigation takes time.
    const assign = (url: string) => {
      visited.push(`assign ${url}`);
      arrive = () => page.showAddress(url);
    };
    Object.assign(page, { assign });
    void navigation.toPage('afterSignOut');
    void navigation.toPage('signIn', { replace: true });
    void navigation.toPage('signIn', { noRedirectBack: true });
    arrive();
    await vi.advanceTimersByTimeAsync(3000);
    expect(visited).toEqual(['assign /', 'assign /handler/sign-in']);
  });

  test('an automatic redirect proceeds when the page stayed, or when a router already moved it on', async () => {
    const stayed = open('window', {}, 'https://shop.example/settings');
    Object.assign(stayed.page, { assign: () => {} });
    void stayed.navigation.toPage('afterSignOut');
    void stayed.navigation.toPage('signIn', { replace: true });
    await vi.advanceTimersByTimeAsync(3000);
    expect(stayed.visited).toEqual([expect.stringMatching(/^replace \/handler\/sign-in/)]);

    const led = open('window', {}, 'https://shop.example/settings');
    void led.navigation.toPage('afterSignOut');
    void led.navigation.toPage('signIn', { replace: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(led.visited).toEqual(['assign /', expect.stringMatching(/^replace \/handler\/sign-in/)]);
  });

  test('on a server the redirect function of Next.js is called', async () => {
    const redirect = vi.fn((_url: string, _type?: unknown): never => {
      throw new Error('NEXT_REDIRECT');
    });
    const next = { cookies: () => ({ getAll: () => [], set: () => {}, delete: () => {} }), redirect };
    const onServer = { ...machine(noConnection), page: undefined };
    const config = { urls: resolveUrls(), redirectMethod: 'nextjs' as const, tokenStore: null };
    const navigation = createNavigation({ ...config, next }, onServer);
    await expect(navigation.toPage('signIn', { replace: true })).rejects.toThrow('NEXT_REDIRECT');
    await expect(navigation.toPage('home')).rejects.toThrow('NEXT_REDIRECT');
    expect(redirect.mock.calls).toEqual([
      ['/handler/sign-in', 'replace'],
      ['/', 'push'],
    ]);
    const without = createNavigation({ ...config, next: undefined }, onServer);
    await expect(without.toPage('home')).rejects.toThrow('nextjs.redirect');
    const window = createNavigation({ ...config, redirectMethod: 'window', next: undefined }, onServer);
    await expect(window.toPage('home')).rejects.toThrow('on a server');
  });

  test('a redirect to a page without an address throws', async () => {
    await expect(open('window', { home: '' }).navigation.toPage('home')).rejects.toThrow('home');
  });

  test('outside a browser a missing callback URL throws', () => {
    const config = resolveConfig(settings, 'server');
    expect(() => callbackUrl({ config, platform: machine(noConnection) }, 'emailVerification', 'theOption')).toThrow(
      'theOption',
    );
  });
});

test('pages are below the handler by default, and undefined keeps the default', () => {
  expect(resolveUrls({ handler: '/auth', signIn: undefined, afterSignOut: '/bye' })).toMatchObject({
    handler: '/auth',
    signIn: '/auth/sign-in',
    mfa: '/auth/mfa',
    afterSignIn: '/',
    afterSignUp: '/',
    afterSignOut: '/bye',
  });
});
