import { expect, test } from 'vitest';
import { findWrongImports } from './import-rules.mjs';

const repository = {
  'package.json': '{ "devDependencies": { "vitest": "1.0.0" } }',
  'packages/protocol/package.json': JSON.stringify({
    name: '@tessera/protocol',
    dependencies: { zod: '4.0.0' },
    exports: { '.': { source: './src/index.ts' }, './errors': { source: './src/errors.ts' } },
  }),
  'packages/protocol/src/index.ts': `export * from './fields.ts';`,
  'packages/protocol/src/fields.ts': `import * as z from 'zod';`,
  'packages/protocol/src/errors.ts': `import type { Field } from './fields.ts';`,
  'packages/client/package.json': '{ "name": "@tessera/client", "exports": { ".": { "source": "./src/index.ts" } } }',
  'packages/ui/package.json': '{ "name": "@tessera/ui", "private": true, "exports": { ".": {} } }',
  'packages/react/package.json': '{ "name": "@tessera/react", "peerDependencies": { "react": "19" } }',
  'packages/server/package.json': '{ "name": "@tessera/server", "dependencies": { "hono": "4.0.0" } }',
  'apps/dashboard/package.json': '{ "name": "@tessera/dashboard", "private": true }',
  'apps/demo/package.json': '{ "name": "@tessera/demo", "private": true, "devDependencies": { "react": "19" } }',
};

function walk(files) {
  const found = findWrongImports(new Map(Object.entries({ ...repository, ...files })));
  return found.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const feature = path => `packages/server/src/features/${path}`;

test.each([
  [
    'the client takes types from any entry point',
    'packages/client/src/a.ts',
    `import type { User } from '@tessera/protocol';`,
  ],
  [
    'the client takes values from a light entry point',
    'packages/client/src/a.ts',
    `import { fail } from '@tessera/protocol/errors';`,
  ],
  ['the server takes values', 'packages/server/src/a.ts', `import { endpoints } from '@tessera/protocol';`],
  [
    'a declared dependency',
    'packages/server/src/a.ts',
    `import { Hono } from 'hono';\nimport { join } from 'node:path';`,
  ],
  ['a tool in a test', 'packages/client/src/a.test.ts', `import { test } from 'vitest';\nimport 'node:fs';`],
  ['Node in the platform folder', 'packages/client/src/platform/node.ts', `import { hostname } from 'node:os';`],
  ['Node in the server of the demo', 'apps/demo/server.mjs', `import { createServer } from 'node:http';`],
  ['the environment in its reader', 'packages/server/src/env.ts', 'export const port = process.env.PORT;'],
  [
    'a feature towards the beginning',
    feature('accounts/users/routes.ts'),
    `import { x } from '../../projects/index.ts';`,
  ],
  ['a later feature', feature('api-keys/routes.ts'), `import { x } from '../teams/index.ts';`],
  ['two later features', feature('api-keys/routes.ts'), `import { x } from '../webhooks/index.ts';`],
  ['rules of an earlier feature', feature('sign-in/rules.ts'), `import { x } from '../projects/rules.ts';`],
  ['types in rules', feature('accounts/users/rules.ts'), `import type { User } from './store.ts';`],
  ['platform in a store', feature('accounts/users/store.ts'), `import { sql } from '../../../platform/sql.ts';`],
  ['core in platform', 'packages/server/src/platform/a.ts', `import type { User } from '../core/user.ts';`],
  ['settings in a feature', feature('teams/routes.ts'), `import type { Settings } from '../../env.ts';`],
  ['all layers in the file that composes them', 'packages/server/src/a.ts', `import './http/b.ts';`],
  ['a specifier in a comment', 'packages/client/src/a.ts', `// import { x } from '@tessera/server';`],
])('allowed: %s', (_, file, text) => {
  expect(walk({ [file]: text })).toEqual([]);
});

test.each([
  [
    'packages/client/src/a.ts',
    `import { users } from '@tessera/protocol';`,
    'loads zod through @tessera/protocol; import types, or an entry point without zod',
  ],
  [
    'packages/client/src/a.ts',
    `import { type User } from '@tessera/protocol';`,
    'loads zod through @tessera/protocol; import types, or an entry point without zod',
  ],
  [
    'packages/react/src/a.ts',
    `export { fail } from '@tessera/protocol/errors';`,
    'may import only types from @tessera/protocol (`import type`)',
  ],
  ['packages/server/src/a.ts', `const x = await import('@tessera/client');`, 'may not import @tessera/client'],
  ['packages/ui/src/a.ts', `type A = import('@tessera/client').A;`, 'may not import @tessera/client'],
  ['apps/demo/src/a.tsx', `import { Button } from '@tessera/ui';`, 'may not import @tessera/ui'],
  [
    'packages/server/src/a.ts',
    `import '@tessera/protocol/src/fields.ts';`,
    'imports ./src/fields.ts of @tessera/protocol, which does not export it',
  ],
  [
    'packages/server/src/a.ts',
    `import '../../protocol/src/fields.ts';`,
    'leaves its package with ../../protocol/src/fields.ts; import a package by its name',
  ],
  [
    'packages/server/src/a.ts',
    `import pg from 'pg';`,
    'imports pg, which packages/server/package.json does not declare as a dependency',
  ],
  [
    'packages/server/src/a.ts',
    `import { test } from 'vitest';`,
    'imports vitest, which packages/server/package.json does not declare as a dependency',
  ],
  ['packages/client/src/a.ts', `import { join } from 'node:path';`, 'imports node:path; browsers load this folder'],
  ['apps/dashboard/src/a.ts', `import { join } from 'node:path';`, 'imports node:path; browsers load this folder'],
  ['apps/demo/src/a.ts', `import { join } from 'node:path';`, 'imports node:path; browsers load this folder'],
  [
    'packages/server/src/http/a.ts',
    `import type { User } from '../features/accounts/users/index.ts';`,
    'imports ../features/accounts/users/index.ts; http/ may import core, platform of the server',
  ],
  [
    'packages/server/src/core/a.ts',
    `import type { Clock } from '../platform/clock.ts';`,
    'imports ../platform/clock.ts; core/ may import only itself of the server',
  ],
  [
    feature('teams/routes.ts'),
    `import type { Deps } from '../../deps.ts';`,
    'imports ../../deps.ts; features/ may import core, platform, http of the server',
  ],
  [
    'packages/extra/src/a.ts',
    `import { a } from './b.ts';`,
    'packages/extra has no row in scripts/checks/imports/import-rules.mjs; add the packages that it may import',
  ],
  [
    feature('accounts/users/routes.ts'),
    `import { x } from '../../projects/store.ts';`,
    'imports ../../projects/store.ts of feature projects; import its index.ts',
  ],
  [
    feature('projects/index.ts'),
    `import type { X } from '../accounts/users/index.ts';`,
    'feature projects comes before accounts/users and may not import it',
  ],
  [
    feature('accounts/users/routes.ts'),
    `import { x } from '../../api-keys/index.ts';`,
    'feature accounts/users comes before api-keys and may not import it',
  ],
  [
    feature('accounts/users/rules.ts'),
    `import { x } from './store.ts';`,
    'imports ./store.ts; a rule is pure: it imports protocol, refusals, types and other rules',
  ],
  [
    feature('accounts/users/rules.ts'),
    `import { randomUUID } from 'node:crypto';`,
    'imports node:crypto; a rule is pure: it imports protocol, refusals, types and other rules',
  ],
  [
    feature('accounts/users/sharing-rules.ts'),
    `import { randomUUID } from 'node:crypto';`,
    'imports node:crypto; a rule is pure: it imports protocol, refusals, types and other rules',
  ],
  [
    feature('accounts/users/store.ts'),
    `import { x } from './rules.ts';`,
    'imports ./rules.ts; a store imports platform, Node, types, protocol limits, stores of its feature, and index.ts of earlier features; it decides nothing',
  ],
  [
    feature('accounts/users/store.ts'),
    `import { fail } from '@tessera/protocol';`,
    'imports @tessera/protocol; a store imports platform, Node, types, protocol limits, stores of its feature, and index.ts of earlier features; it decides nothing',
  ],
  [
    feature('accounts/users/wire.ts'),
    `import { x } from '../../../platform/db.ts';`,
    'imports ../../../platform/db.ts; wire imports protocol, types, files of its folder except stores and routes, and index.ts of features whose objects its own contain',
  ],
])('%s may not contain %s', (file, text, message) => {
  const extra = { 'packages/extra/package.json': '{ "name": "@tessera/extra" }' };
  expect(walk({ ...extra, [file]: text })).toEqual([`${file}:1 ${message}`]);
});

test.each([
  'process.env.HOME',
  'globalThis.process?.env.HOME',
  `process['env'].HOME`,
  'const { env } = process;',
  `import { env } from 'node:process';`,
])('a read of the environment outside env.ts is found: %s', text => {
  const message = 'reads process.env; only env.ts of the server, of the client and of the command line do';
  expect(walk({ 'packages/server/src/app.ts': text })).toEqual([`packages/server/src/app.ts:1 ${message}`]);
});

test('two later features that import each other are found', () => {
  const files = {
    [feature('api-keys/index.ts')]: `import { x } from '../webhooks/index.ts';`,
    [feature('webhooks/store.ts')]: `import type { X } from '../api-keys/index.ts';`,
  };
  expect(walk(files)).toEqual([`${feature('api-keys/index.ts')}:1 features api-keys and webhooks import each other`]);
});

test.each([
  ['three files', `import { c } from './c.ts';`, `export { a } from './a.ts';`],
  ['a lazy import', `import { c } from './c.ts';`, `const a = () => import('./a.ts');`],
])('a circle of imports is found: %s', (_, b, c) => {
  const folder = 'packages/client/src';
  const files = { [`${folder}/a.ts`]: `import { b } from './b.ts';`, [`${folder}/b.ts`]: b, [`${folder}/c.ts`]: c };
  const circle = `${folder}/a.ts → ${folder}/b.ts → ${folder}/c.ts → ${folder}/a.ts`;
  expect(walk(files)).toEqual([`${folder}/c.ts:1 imports itself in a circle: ${circle}`]);
});

test.each([
  ['packages/client/src', []],
  [
    'packages/server/src',
    [
      'packages/server/src/b.ts:1 imports itself in a circle: packages/server/src/a.ts → packages/server/src/b.ts → packages/server/src/a.ts',
    ],
  ],
])('a circle of type imports is allowed only where types are recursive: %s', (folder, found) => {
  const files = {
    [`${folder}/a.ts`]: `import { b } from './b.ts';`,
    [`${folder}/b.ts`]: `import type { A } from './a.ts';`,
  };
  expect(walk(files)).toEqual(found);
});

test('a page of an app may not import the file that loads it lazily', () => {
  const files = {
    'apps/demo/src/route.ts': `const page = () => import('./page.ts');`,
    'apps/demo/src/page.ts': `import { route } from './route.ts';`,
  };
  const circle = 'apps/demo/src/route.ts → apps/demo/src/page.ts → apps/demo/src/route.ts';
  expect(walk(files)).toEqual([`apps/demo/src/page.ts:1 imports itself in a circle: ${circle}`]);
});
