import { defineConfig } from 'vitest/config';

/** For `npm run screenshots`: the one file that takes pictures instead of testing. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['screenshots.ts'], testTimeout: 90_000, hookTimeout: 120_000 },
});
