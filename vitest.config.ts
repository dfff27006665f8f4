import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

interface Project {
  readonly folder: string;
  readonly name?: string;
  readonly test?: Record<string, unknown>;
}

const inBrowserLike = { environment: 'happy-dom' };
const onDatabase = {
  globalSetup: [join(import.meta.dirname, 'packages/server/src/test/global-setup.ts')],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

// Migrations, the database layer, and the authorization matrix, which runs the statements of every endpoint.
const onOlderDatabase = {
  include: [
    'src/platform/{database,queue}/*.test.ts',
    'src/test/authorization-matrix.test.ts',
    'src/features/**/*store.test.ts',
  ],
};

// One browser at a time: two journeys on two cores would time each other out. Last, because it needs the machine.
const inBrowser = { maxWorkers: 1, sequence: { groupOrder: 1 }, testTimeout: 90_000, hookTimeout: 120_000 };

const projects: readonly Project[] = [
  { folder: 'packages/protocol' },
  { folder: 'packages/client' },
  { folder: 'packages/ui', test: inBrowserLike },
  { folder: 'packages/react', test: inBrowserLike },
  { folder: 'packages/server', test: onDatabase },
  // The global setup starts the PostgreSQL that this name says.
  ...(existsSync('/usr/lib/postgresql/15/bin/initdb')
    ? [{ folder: 'packages/server', name: 'server-postgres-15', test: { ...onDatabase, ...onOlderDatabase } }]
    : []),
  { folder: 'packages/cli', test: onDatabase },
  { folder: 'apps/demo', name: 'demo' },
  { folder: 'scripts' },
  { folder: 'e2e', test: inBrowser },
];

function settingsOf({ folder, name = folder.replace('packages/', ''), test }: Project) {
  // A package's own preparation of each test file, where it has one.
  const preparation = join(import.meta.dirname, folder, 'src/test/setup.ts');
  return {
    extends: true as const,
    root: join(import.meta.dirname, folder),
    test: {
      name,
      include: ['**/*.test.{ts,tsx,mjs}'],
      setupFiles: existsSync(preparation) ? [preparation] : [],
      ...test,
    },
  };
}

export default defineConfig({
  // Sources instead of dist, so that no test runs on an old build.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  // No test waits for real time, so a long limit costs nothing and spares a loaded machine false alarms. No test is
  // retried: a test that fails sometimes is a defect.
  test: { maxWorkers: 2, testTimeout: 20_000, projects: projects.map(settingsOf) },
});
