import { afterEach, expect, test, vi } from 'vitest';
import { browser } from './browser.ts';

afterEach(() => void vi.unstubAllGlobals());

test('where the user blocks storage, the storage of the tab keeps values in memory', () => {
  vi.stubGlobal('window', {
    get sessionStorage() {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
  browser().page?.tabStorage.setItem('key', 'value');
  expect(browser().page?.tabStorage.getItem('key')).toBe('value');
  browser().page?.tabStorage.removeItem('key');
  expect(browser().page?.tabStorage.getItem('key')).toBeUndefined();
});

test('where the storage of the tab is full, values are kept in memory, and those of before are read and removed', () => {
  const stored = new Map([['key', 'before']]);
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
    removeItem: (key: string) => void stored.delete(key),
  };
  vi.stubGlobal('window', { sessionStorage });
  expect(browser().page?.tabStorage.getItem('key')).toBe('before');
  browser().page?.tabStorage.setItem('key', 'value');
  expect(browser().page?.tabStorage.getItem('key')).toBe('value');
  browser().page?.tabStorage.removeItem('key');
  expect(browser().page?.tabStorage.getItem('key')).toBeNull();
});

test('in a sandboxed frame, where cookies throw, there are none', () => {
  const refuse = () => {
    throw new DOMException('The document is sandboxed.', 'SecurityError');
  };
  vi.stubGlobal('document', Object.defineProperty({}, 'cookie', { get: refuse, set: refuse }));
  browser().page?.cookies.write('a=b; Path=/');
  expect(browser().page?.cookies.read()).toBe('');
});

test('where the user blocks storage, a channel that Firefox refuses reaches no other tab and throws nothing', () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    },
  );
  expect(() =>
    browser()
      .page?.openChannel('tokens', () => {})
      .call(),
  ).not.toThrow();
});

test('a visible page that is online again is told of the return, until the undo', () => {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  const listener = vi.fn();
  const undo = browser().page?.onReturn(listener);
  window.dispatchEvent(new Event('online'));
  expect(listener).toHaveBeenCalledTimes(1);
  undo?.();
  window.dispatchEvent(new Event('online'));
  expect(listener).toHaveBeenCalledTimes(1);
});
