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
  expect(browser().page?.tabStorage.getItem('key')).toBeNull();
});
