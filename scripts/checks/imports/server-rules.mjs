import { posix } from 'node:path';
import { isTest } from './source-imports.mjs';
import { nameOfPackage } from './specifiers.mjs';

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

export function checkLayer({ file, item, target }) {
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

export function checkFeature({ file, item, target }) {
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

/** `sharing-rules.ts` and `key-wire.ts` have the roles of `rules.ts` and `wire.ts`. A store with a name may use more. */
function roleOf(file) {
  return posix.basename(file).replace(/^.+-(?=(rules|wire)\.ts$)/, '');
}

export function checkRole(file, item, target) {
  const role = featureOf(file) && rolesOfFiles[roleOf(file)];
  if (!role || item.isType || posix.basename(target) === 'types.ts' || role.mayImport(target, file)) return [];
  return [`imports ${item.specifier}; ${role.says}`];
}

/** Two features outside the list may import each other's index.ts, but not both directions. */
export function findFeatureCycles(sources) {
  const edges = new Map();
  for (const [file, source] of sources) {
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

function isBeside(target, file) {
  return posix.dirname(target) === posix.dirname(file);
}

function isProtocol(target) {
  return nameOfPackage(target) === '@tessera/protocol';
}
