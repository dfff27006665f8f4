import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** For `npm run screenshots`: includes only the file that takes the pictures. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['screenshots.ts'],
    globalSetup: [join(import.meta.dirname, '../packages/testing/src/global-setup.ts')],
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
