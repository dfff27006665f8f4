import { expect, test, vi } from 'vitest';
import { isMissingCode, reloadOnce, reloadPage } from './reload-page.ts';

function page(answer: () => Promise<Response>) {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return { fetch: vi.fn(answer), storage, reload: vi.fn() };
}

const up = async () => new Response('<svg/>');
const proxyOnly = async () => new Response('', { status: 502 });
const down = () => Promise.reject(new TypeError('Failed to fetch'));

test('a page is loaded again when the server answers', async () => {
  const deps = page(up);
  expect(await reloadPage('/dashboard/', deps)).toBe('reloads');
  expect(deps.fetch).toHaveBeenCalledExactlyOnceWith('/dashboard/favicon.svg', { cache: 'no-store' });
  expect(deps.reload).toHaveBeenCalledOnce();
});

test.each([
  ['no server answers', down],
  ['only a proxy answers', proxyOnly],
])('a page stays while %s, because a reload would replace it with an error of the browser', async (_, answer) => {
  const deps = page(answer);
  expect(await reloadPage('/dashboard/', deps)).toBe('server-down');
  expect(await reloadOnce('/dashboard/', 'users-1.js', deps)).toBe('server-down');
  expect(deps.reload).not.toHaveBeenCalled();
});

test('a file that is missing loads the page once, and another file once more', async () => {
  const deps = page(up);
  expect(await reloadOnce('/dashboard/', 'users-1.js', deps)).toBe('reloads');
  expect(await reloadOnce('/dashboard/', 'users-1.js', deps)).toBe('reloaded-before');
  expect(deps.reload).toHaveBeenCalledOnce();
  await reloadOnce('/dashboard/', 'users-2.js', deps);
  expect(deps.reload).toHaveBeenCalledTimes(2);
});

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: http://localhost/dashboard/assets/users-1.js', true],
  ['Firefox', 'error loading dynamically imported module: http://localhost/dashboard/assets/users-1.js', true],
  ['Safari', 'Importing a module script failed.', true],
  ['a mistake in a page', "Cannot read properties of undefined (reading 'id')", false],
])('the error of %s is told apart as missing code or not', (_, message, expected) => {
  expect(isMissingCode(new TypeError(message))).toBe(expected);
});
