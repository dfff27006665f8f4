import { posix } from 'node:path';
import { findCircles } from './import-circles.mjs';
import { readSource } from './source-imports.mjs';
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
  bench: {
    '@tessera/server': 'any',
    '@tessera/client': 'any',
    '@tessera/protocol': 'any',
    '@tessera/testing': 'any',
  },
  scripts: {},
};

/** Packages that browsers load too. Only the listed folders may import Node's modules. */
const browserPackages = {
  'packages/protocol': [],
  'packages/client': ['packages/client/src/platform/'],
  'packages/ui': [],
  'packages/react': [],
};

const environmentReaders = [
  /^packages\/server\/src\/env\.ts$/,
  /^packages\/client\/src\/app\/config\/(?:env|server-keys)\.ts$/,
  /^packages\/cli\/src\/env\.ts$/,
  /^apps\/demo\/server\.mjs$/,
  /^(scripts|e2e|bench|packages\/testing)\//,
  /(^|\/)[\w.-]+\.config\.m?ts$/,
];

const serverFolder = 'packages/server/src/';
const featuresFolder = `${serverFolder}features/`;

/**
 * The layers of the server, lowest first, and what each may import of the server besides itself. Files outside these
 * folders put the layers together and may import all of them.
 */
const serverLayers = {
  core: [],
  platform: ['core'],
  http: ['core', 'platform'],
  features: ['core', 'platform', 'http'],
};

/** Files of the process whose types every layer may use. */
const sharedByLayers = ['packages/server/src/env.ts'];

/**
 * A feature may import only features before it in this list. Features outside the list come last. A folder such as
 * `accounts` groups features; its subfolders in this list are separate features.
 */
const featureOrder = [
  'webhooks/events',
  'audit',
  'email/queue',
  'accounts/users/row',
  'projects',
  'permissions',
  'images',
  'verification-codes',
  'sessions',
  'accounts/users',
  'email/notifications',
  'sign-in',
  'teams',
  'teams/invitations',
];

/** Folders that belong to a feature in another folder and are imported through its index.ts. */
const partsOfFeatures = {
  'accounts/contact-channels': 'accounts/users',
  'accounts/credentials': 'accounts/users',
  'email/rendering': 'email/queue',
  'email/templates': 'email/queue',
  'email/transport': 'email/queue',
};

/** What files with a fixed role may import, besides types. */
const rolesOfFiles = {
  'rules.ts': {
    says: 'a rule is pure: it imports protocol, refusals, types and other rules',
    mayImport: target =>
      isProtocol(target) || target === 'packages/server/src/http/refusal.ts' || posix.basename(target) === 'rules.ts',
  },
  'store.ts': {
    // Earlier features export SQL that belongs to the same statement or transaction.
    says: 'a store imports platform, Node, types, protocol limits, stores of its feature, and index.ts of earlier features; it decides nothing',
    mayImport: (target, file) =>
      target === '@tessera/protocol/limits' ||
      target.startsWith('packages/server/src/platform/') ||
      target.startsWith('node:') ||
      (featureOf(target) === featureOf(file) && /[/-]store\.ts$/.test(target)) ||
      /^packages\/server\/src\/features\/.+\/index\.ts$/.test(target),
  },
  'wire.ts': {
    says: 'wire imports protocol, types, files of its folder except stores and routes, and index.ts of features whose objects its own contain',
    mayImport: (target, file) =>
      isProtocol(target) ||
      ['rules.ts', 'index.ts'].includes(posix.basename(target)) ||
      posix.basename(target) === 'wire.ts' ||
      (isBeside(target, file) && !/(store|routes)\.ts$/.test(target)),
  },
};

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
  return [...found, ...findFeatureCycles(world), ...findCircles(sources)];
}

function isBeside(target, file) {
  return posix.dirname(target) === posix.dirname(file);
}

/** Code in `examples/` is written as a customer would write it. */
function isSource(path) {
  return !path.startsWith('examples/') && /\.(m|c)?[tj]sx?$/.test(path) && !path.endsWith('.d.ts');
}

function isTest(path) {
  return /\.(test|test-d|fixtures)\.\w+$|\/test\//.test(path);
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

function isProtocol(target) {
  return nameOfPackage(target) === '@tessera/protocol';
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

function checkLayer({ file, item, target }) {
  const from = layerOf(file);
  if (from === undefined || isTest(file) || sharedByLayers.includes(target)) return [];
  const to = layerOf(target);
  if (to === from || serverLayers[from].includes(to)) return [];
  return [
    `imports ${item.specifier}; ${from}/ may import ${serverLayers[from].join(', ') || 'only itself'} of the server`,
  ];
}

/** The layer of a file of the server; undefined outside of the layers. */
function layerOf(path) {
  if (!path.startsWith(serverFolder)) return undefined;
  const folder = path.slice(serverFolder.length).split('/')[0];
  return folder in serverLayers ? folder : undefined;
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
  if (isBuiltin(packageName)) return checkBuiltin(file, workspace, item);

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

function checkBuiltin(file, workspace, item) {
  const nodeFolders = browserPackages[workspace];
  if (!nodeFolders || isTest(file) || /\.config\.m?ts$/.test(file)) return [];
  if (nodeFolders.some(folder => file.startsWith(folder))) return [];
  return [`imports ${item.specifier}; browsers load this package too`];
}

function featureOf(path) {
  if (!path.startsWith(featuresFolder)) return undefined;
  const folders = path.slice(featuresFolder.length).split('/').slice(0, -1);
  for (let depth = folders.length; depth > 1; depth--) {
    const nested = folders.slice(0, depth).join('/');
    const named = partsOfFeatures[nested] ?? nested;
    if (featureOrder.includes(named)) return named;
  }
  return folders[0];
}

function checkFeature({ file, item, target }) {
  const from = featureOf(file);
  const to = featureOf(target);
  if (!from || !to || from === to || isTest(file)) return [];

  const isRuleToRule = posix.basename(file) === 'rules.ts' && posix.basename(target) === 'rules.ts';
  const isInGroup = from.split('/')[0] === to.split('/')[0];
  if (posix.basename(target) !== 'index.ts' && !isInGroup && !isRuleToRule) {
    return [`imports ${item.specifier} of feature ${to}; import its index.ts`];
  }
  if (rank(to) > rank(from)) return [`feature ${from} comes before ${to} and may not import it`];
  return [];
}

function rank(feature) {
  const index = featureOrder.indexOf(feature);
  return index === -1 ? featureOrder.length : index;
}

function checkRole(file, item, target) {
  const role = featureOf(file) && rolesOfFiles[posix.basename(file)];
  if (!role || item.isType || posix.basename(target) === 'types.ts' || role.mayImport(target, file)) return [];
  return [`imports ${item.specifier}; ${role.says}`];
}

/** Two features outside the list may import each other's index.ts, but not both directions. */
function findFeatureCycles(world) {
  const edges = new Map();
  for (const [file, source] of world.sources) {
    const from = featureOf(file);
    if (!from || isTest(file)) continue;
    for (const { specifier, line } of source.imports) {
      const to = specifier.startsWith('.') ? featureOf(posix.join(posix.dirname(file), specifier)) : undefined;
      if (to && to !== from) edges.set(`${from} ${to}`, { file, line, from, to });
    }
  }
  return [...edges.values()]
    .filter(({ from, to }) => from < to && edges.has(`${to} ${from}`))
    .map(({ file, line, from, to }) => ({ file, line, message: `features ${from} and ${to} import each other` }));
}
