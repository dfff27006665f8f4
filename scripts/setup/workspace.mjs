import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cacheFolder = join(root, '.cache', 'tessera');

/**
 * The builds: programs and folders. A missing `output` file means "not built"; `after` names the builds whose output this
 * one reads; `typed` ones can also emit type declarations.
 * Library packages build in parallel, because their dependencies are external; only the server contains one of ours.
 */
export const builds = [
  {
    name: 'protocol',
    folder: 'packages/protocol',
    output: 'dist/index.js',
    typed: true,
    steps: [['tsdown']],
  },
  {
    name: 'client',
    folder: 'packages/client',
    output: 'dist/index.js',
    typed: true,
    steps: [['tsdown']],
  },
  {
    name: 'embedded-postgres',
    folder: 'packages/embedded-postgres',
    output: 'dist/index.js',
    typed: true,
    steps: [['tsdown']],
  },
  {
    name: 'server',
    folder: 'packages/server',
    after: ['protocol'],
    output: 'dist/main.js',
    typed: true,
    steps: [['tsdown']],
  },
  {
    name: 'testing',
    folder: 'packages/testing',
    output: 'dist/call.js',
    steps: [['tsdown']],
  },
  {
    name: 'cli',
    folder: 'packages/cli',
    output: 'dist/main.js',
    steps: [['tsdown']],
  },
  {
    name: 'react',
    folder: 'packages/react',
    bundles: ['packages/ui'],
    output: 'dist/styles.css',
    typed: true,
    steps: [['tsdown'], ['@tailwindcss/cli:tailwindcss', '-i', 'src/styles.css', '-o', 'dist/styles.css', '--minify']],
  },
  {
    name: 'dashboard',
    folder: 'apps/dashboard',
    bundles: ['packages/ui'],
    after: ['protocol', 'client', 'react'],
    // The server serves it, and its package contains it.
    output: '../../packages/server/dashboard-dist/index.html',
    steps: [['vite', 'build', '--logLevel', 'warn']],
  },
  {
    name: 'demo',
    folder: 'apps/demo',
    after: ['protocol', 'client', 'react'],
    output: 'dist/index.html',
    steps: [['vite', 'build', '--logLevel', 'warn']],
  },
];
