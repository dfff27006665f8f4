import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Axe checks whole pages, on machines that run other tests. The wait ends with its condition, so a long limit costs
// nothing; the library's default of a second fails on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 20_000 });

/** What the page of these tests can in addition to a browser's. */
interface TestPage {
  readonly happyDOM: { setURL(url: string): void };
}

// The files of a worker share one page: it is left as it was found.
afterEach(() => {
  if (typeof document === 'undefined') return;
  cleanup();
  (window as unknown as TestPage).happyDOM.setURL('http://localhost:3000/');
  sessionStorage.clear();
  localStorage.clear();
});
