import { afterAll, vi } from 'vitest';

// The files of a worker share globals and modules: what a file replaces does not reach the next one.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
