import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

/**
 * Stays out of the shared file: translations, the menus of Radix, and the parts of pages that apps also use alone. They
 * would be loaded with every page.
 */
const apart =
  /[\\/]components[\\/](?:auth-page|user-button|teams)[\\/]|[\\/](?:de|dropdown-menu|tabs|separator|magic-link-sign-in|oauth-buttons|passkey-button|use-passkey-offer)\.tsx?$/;

/**
 * The provider and the hooks come first and load no page. What several pages share comes as one file: a dozen small ones
 * would be a dozen requests, and compress worse.
 */
const chunks = [
  { name: 'theme', test: /[\\/]ui[\\/]src[\\/]theme(?:-provider)?\.tsx?$/, priority: 1 },
  {
    name: 'hooks',
    test: /[\\/]react[\\/]src[\\/](?:app[\\/](?:apps|context)|hooks[\\/](?:hooks|reader|read-state)|lazy[\\/]lazy-part)\.tsx?$/,
    priority: 1,
  },
  // Numbers, which compress worse among words.
  { name: 'providers', test: /[\\/]provider-(?:looks|icon)\.tsx?$/, priority: 1 },
  {
    name: 'shared',
    test: (id: string) => /[\\/](?:react|ui)[\\/]src[\\/]/.test(id) && !apart.test(id),
    minShareCount: 2,
  },
];

const entries = Object.entries(listEntryPoints(import.meta.dirname));
const isAdapter = ([, source]: readonly [string, string]) => source.includes('/adapters/');

const shared = {
  platform: 'neutral',
  target: 'es2022',
  // Eager, because the declarations of the component set, bundled too, lie outside this package.
  dts: { enabled: false, eager: true },
  sourcemap: true,
  fixedExtension: false,
} as const;

export default defineConfig([
  {
    ...shared,
    entry: Object.fromEntries(entries.filter(entry => !isAdapter(entry))),
    deps: {
      neverBundle: [/^react(\/|$)/, /^react-dom(\/|$)/],
      // The component set is private, so customers get it, with what it imports, as part of this package.
      alwaysBundle: ['@tessera/ui'],
      onlyBundle: false,
    },
    outputOptions: { codeSplitting: { groups: chunks } },
    // From its sources: no build of its own to wait for.
    inputOptions: { resolve: { conditionNames: ['source', 'import', 'default'], mainFields: ['module', 'main'] } },
  },
  {
    ...shared,
    // On their own, with the package itself as a dependency: they must not change how the pages are cut into files, and
    // nothing of React's client side may slip into what a server component loads.
    entry: Object.fromEntries(entries.filter(isAdapter)),
    deps: { neverBundle: [/^react(\/|$)/, /^@tessera\//, /^next\//, 'react-router', '@tanstack/react-router'] },
  },
]);
