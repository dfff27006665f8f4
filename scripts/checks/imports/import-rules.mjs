import { posix } from 'node:path';
import { findCircles } from './import-circles.mjs';
import { checkFeature, checkLayer, checkRole, findFeatureCycles } from './server-rules.mjs';
import { isTest, readSource } from './source-imports.mjs';
import { isBuiltin, nameOfPackage } from './specifiers.mjs';

/**
 * Allowed imports across packages. `any`: everything that the other package exports. `types`: only types. `light`: types,
 * and values from entry points that do not load zod. `tests`: everything, in test files only.
 */
const importRules = {
  'packages/protocol': {},
  'packages/client': { '@tessera/protocol': 'light' },
  'packages/ui': {},
  'packages/react': { '@tessera/client': 'any', '@tessera/protocol': 'types', '@tessera/ui': 'any' },
  'packages/embedded-postgres': {},
  'packages/server': { '@tessera/embedded-postgres': 'any', '@tessera/protocol': 'any', '@tessera/testing': 'tests' },
  'packages/testing': { '@tessera/embedded-postgres': 'any', '@tessera/protocol': 'any', '@tessera/server': 'any' },
  'packages/cli': {
    '@tessera/server': 'any',
    '@tessera/client': 'any',
    '@tessera/protocol': 'any',
    '@tessera/testing': 'tests',
  },
  'apps/dashboard': { '@tessera/react': 'any', '@tessera/client': 'any', '@tessera/ui': 'any' },
  'apps/demo': { '@tessera/react': 'any', '@tessera/client': 'any' },
  e2e: { '@tessera/client': 'any', '@tessera/react': 'any', '@tessera/protocol': 'any', '@tessera/testing': 'any' },
  bench: { '@tessera/client': 'any', '@tessera/embedded-postgres': 'any', '@tessera/testing': 'any' },
  scripts: {},
};

/** Folders that browsers load. In them only `nodeFolder` may import Node's modules. */
const browserFolders = /^(?:packages\/(?:protocol|client|ui|react)|apps\/dashboard|apps\/demo\/src)\//;
const nodeFolder = 'packages/client/src/platform/';

const environmentReaders = [
  /^packages\/server\/src\/env\.ts$/,
  /^packages\/client\/src\/app\/config\/(?:env|server-keys)\.ts$/,
  /^packages\/cli\/src\/env\.ts$/,
  /^apps\/demo\/server\.mjs$/,
  /^(scripts|e2e|bench|packages\/testing)\//,
  /(^|\/)[\w.-]+\.config\.m?ts$/,
];

/**
 * Checks all imports and returns those that break a rule.
 *
 * @param {Map<string, string>} files text by path from the repository root, with forward slashes
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findWrongImports(files) {
  const sources = new Map();
  for (const [path, text] of files) if (isSource(path)) sources.set(path, readSource(path, text));

  const world = { sources, manifests: readManifests(files) };
  const found = [...sources].flatMap(([file, source]) => [
    ...source.imports.flatMap(item =>
      checkImport(world, file, item).map(message => ({ file, line: item.line, message })),
    ),
    ...checkEnvironment(file, source),
  ]);
  return [...found, ...findFeatureCycles(sources), ...findCircles(sources)];
}

/** Code in `examples/` is written as a customer would write it. */
function isSource(path) {
  return !path.startsWith('examples/') && /\.(m|c)?[tj]sx?$/.test(path) && !path.endsWith('.d.ts');
}

function readManifests(files) {
  const manifests = new Map();
  for (const [path, text] of files) {
    if (posix.basename(path) === 'package.json') manifests.set(posix.dirname(path), JSON.parse(text));
  }
  return manifests;
}

function checkEnvironment(file, source) {
  if (isTest(file) || environmentReaders.some(pattern => pattern.test(file))) return [];
  return source.environmentReads.map(line => ({
    file,
    line,
    message: 'reads process.env; only env.ts of the server, of the client and of the command line do',
  }));
}

function checkImport(world, file, item) {
  const workspace = workspaceOf(world, file);
  if (!workspace) return [];

  const rules = importRules[workspace];
  if (!rules)
    return [`${workspace} has no row in scripts/checks/imports/import-rules.mjs; add the packages that it may import`];
  if (item.specifier.startsWith('.')) return checkRelative({ file, workspace, item });

  const packageName = nameOfPackage(item.specifier);
  if (packageName.startsWith('@tessera/')) return checkCrossing(world, { file, workspace, item, packageName });
  return [
    ...checkOutside(world, { file, workspace, item, packageName }),
    ...checkRole(file, item, isBuiltin(packageName) ? `node:${packageName.replace('node:', '')}` : packageName),
  ];
}

function workspaceOf(world, file) {
  if (file.startsWith('scripts/')) return 'scripts';
  const folders = [...world.manifests.keys()].filter(folder => folder !== '.' && file.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0];
}

function checkRelative({ file, workspace, item }) {
  const target = posix.join(posix.dirname(file), item.specifier);
  const isBuildHelper = /\.config\.m?ts$/.test(file) && target.startsWith('scripts/');
  if (!target.startsWith(`${workspace}/`) && !isBuildHelper) {
    return [`leaves its package with ${item.specifier}; import a package by its name`];
  }
  return [
    ...checkLayer({ file, item, target }),
    ...checkFeature({ file, item, target }),
    ...checkRole(file, item, target),
  ];
}

function checkCrossing(world, { file, workspace, item, packageName }) {
  const manifest = [...world.manifests.values()].find(({ name }) => name === packageName);
  if (!manifest) return [`imports ${packageName}, which is not a package of this repository`];

  const entryPoint = `.${item.specifier.slice(packageName.length)}`;
  if (!(entryPoint in (manifest.exports ?? {})))
    return [`imports ${entryPoint} of ${packageName}, which does not export it`];
  if (manifest.name === world.manifests.get(workspace)?.name) return [];

  const permission = importRules[workspace][packageName];
  if (!permission) return [`may not import ${packageName}`];
  if (permission === 'types' && !item.isType) return [`may import only types from ${packageName} (\`import type\`)`];
  if (permission === 'tests' && !isTest(file)) return [`may import ${packageName} only in tests`];
  if (permission === 'light' && !item.isType && loadsZod(world, packageName, entryPoint)) {
    return [`loads zod through ${item.specifier}; import types, or an entry point without zod`];
  }
  return checkRole(file, item, item.specifier);
}

/** Whether value imports of an entry point reach zod. */
function loadsZod(world, packageName, entryPoint) {
  const [folder, manifest] = [...world.manifests].find(([, { name }]) => name === packageName);
  const source = manifest.exports[entryPoint].source;
  return source !== undefined && reachesZod(world, posix.join(folder, source), new Set());
}

function reachesZod(world, file, seen) {
  if (seen.has(file)) return false;
  seen.add(file);
  const values = world.sources.get(file)?.imports.filter(item => !item.isType) ?? [];
  return values.some(({ specifier }) => {
    if (specifier.startsWith('.')) return reachesZod(world, posix.join(posix.dirname(file), specifier), seen);
    return nameOfPackage(specifier) === 'zod';
  });
}

/** Checks imports of Node's modules and of packages from the registry. */
function checkOutside(world, { file, workspace, item, packageName }) {
  if (isBuiltin(packageName)) return checkBuiltin(file, item);

  const own = world.manifests.get(workspace) ?? {};
  const root = world.manifests.get('.') ?? {};
  const isShipped = workspace.startsWith('packages/') && !own.private && !isTest(file) && !/\.config\.m?ts$/.test(file);
  const declared = isShipped
    ? { ...own.dependencies, ...own.peerDependencies, ...own.optionalDependencies }
    : { ...own.dependencies, ...own.peerDependencies, ...own.devDependencies, ...root.devDependencies };
  if (packageName in declared || (item.isType && `@types/${packageName}` in { ...own.devDependencies })) return [];
  return [
    `imports ${packageName}, which ${workspace}/package.json does not declare${isShipped ? ' as a dependency' : ''}`,
  ];
}

function checkBuiltin(file, item) {
  if (!browserFolders.test(file) || file.startsWith(nodeFolder)) return [];
  if (isTest(file) || /\.config\.m?ts$/.test(file)) return [];
  return [`imports ${item.specifier}; browsers load this folder`];
}
