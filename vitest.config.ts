import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

interface Project {
  readonly folder: string;
  readonly name?: string;
  readonly test?: Record<string, unknown>;
}

// Newer Node releases have an empty `localStorage` of their own, which hides the one of the test page.
const webStorageOption = '--no-experimental-webstorage';
// The files of a worker share modules and the page, which take longer to load than the tests to run.
const inBrowserLike = {
  environment: 'happy-dom',
  isolate: false,
  execArgv: process.allowedNodeEnvironmentFlags.has(webStorageOption) ? [webStorageOption] : [],
};
const restoring = join(import.meta.dirname, 'packages/testing/src/restore.ts');
const sharedPostgres = [join(import.meta.dirname, 'packages/testing/src/global-setup.ts')];
// The files of a worker share the modules of the server, which take a second to load. Their state is in the objects that
// a test makes; what a test replaces it restores.
const onDatabase = {
  isolate: false,
  globalSetup: sharedPostgres,
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

// Migrations, the database layer, the stores, and the row types, which PostgreSQL describes.
const onOlderDatabase = {
  include: [
    'src/platform/{database,queue}/**/*.test.ts',
    'src/features/**/{store,*-store}.test.ts',
    'src/test/row-types/*.test.ts',
  ],
};

// More at a time than there are cores: a journey waits more than it computes. Last, because they need the machine. The
// files of a worker share the browser.
const inBrowser = {
  isolate: false,
  maxWorkers: 4,
  globalSetup: sharedPostgres,
  sequence: { groupOrder: 1 },
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

const projects: readonly Project[] = [
  { folder: 'packages/protocol' },
  { folder: 'packages/client', test: { isolate: false } },
  { folder: 'packages/ui', test: inBrowserLike },
  { folder: 'packages/react', test: inBrowserLike },
  { folder: 'packages/embedded-postgres' },
  { folder: 'packages/testing' },
  { folder: 'packages/server', test: onDatabase },
  // The global setup starts the PostgreSQL that this name says.
  ...(existsSync('/usr/lib/postgresql/15/bin/initdb')
    ? [{ folder: 'packages/server', name: 'server-postgres-15', test: { ...onDatabase, ...onOlderDatabase } }]
    : []),
  { folder: 'packages/cli', test: onDatabase },
  { folder: 'apps/demo', name: 'demo' },
  { folder: 'apps/dashboard', name: 'dashboard', test: inBrowserLike },
  { folder: 'scripts' },
  { folder: 'e2e', test: inBrowser },
];

function settingsOf({ folder, name = folder.replace('packages/', ''), test }: Project) {
  // A package's own preparation of each test file, where it has one.
  const preparations = [restoring, join(import.meta.dirname, folder, 'src/test/setup.ts')];
  return {
    extends: true as const,
    root: join(import.meta.dirname, folder),
    test: {
      name,
      include: ['**/*.test.{ts,tsx,mjs}'],
      setupFiles: preparations.filter(file => existsSync(file)),
      ...test,
    },
  };
}

const fromSources = ['source', 'module', 'node', 'development|production'];

export default defineConfig({
  // Sources instead of dist, so that no test runs on an old build. `__vitest__` loads the global setup.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: fromSources } },
  environments: { __vitest__: { resolve: { conditions: fromSources } } },
  // No test waits for real time, so a long limit costs nothing and spares a loaded machine false alarms. No test is
  // retried: a test that fails sometimes is a defect.
  test: {
    // One more than the two cores of CI: tests of the server wait for PostgreSQL and for timers.
    maxWorkers: 3,
    testTimeout: 20_000,
    expect: { poll: { timeout: 20_000 } },
    projects: projects.map(settingsOf),
  },
});
