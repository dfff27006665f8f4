import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * sonner adds its styles by script when it is loaded, which the content security policy refuses. The stylesheet is
 * imported by src/styles.css instead.
 */
const sonnerWithoutStyleElement: Plugin = {
  name: 'sonner-without-style-element',
  transform(code, id) {
    if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs$/.test(id)) return undefined;
    const stripped = code.replace(/^__insertCSS\("[^\n]*"\);?$/m, '');
    if (stripped === code) throw new Error('sonner no longer calls __insertCSS; look at how it adds its styles');
    return { code: stripped, map: null };
  },
};

/** The table with its libraries, but not the function with which pages declare columns. */
const inTable = (id: string) =>
  /[\\/](?:@tanstack[\\/](?:react-)?(?:table|virtual)|filled-table)/.test(id) && !id.includes('columnHelper');

/** The code with which the SDK reads the projects of an owner. */
const inOwnerSdk = (id: string) =>
  /[\\/]client[\\/]src[\\/](?:.*[\\/])?(?:owned-projects-flow|admin-app|current-user-objects|response-failure)\.ts$/.test(
    id,
  );

/** The layouts, icons, queries and shared parts of an owner's pages. */
const inOwner = (id: string) =>
  (/[\\/]dashboard[\\/]src[\\/](?:components|data|shell[\\/](?:owner|project)-layout)|[\\/]ui[\\/]src[\\/]/.test(id) &&
    !inFewPages(id)) ||
  /[\\/](?:lucide-react|react-query|query-core)[\\/]|columnHelper/.test(id);

/** Shared parts that few pages use: lists of API keys, menus, the marks of providers, the editor, pages of the app, and what shows toasts. */
const inFewPages = (id: string) =>
  /[\\/]components[\\/]api-keys[\\/]|[\\/](?:progress-bar|dropdown-menu|provider-icon|provider-looks|json-code-mirror|json-editor|metadata-panel|merge-metadata|setting-switch|filled-table|table-features|code-block|app-pages)\./.test(
    id,
  );

/** What is done with users of the list: the first load has the list without it. */
const inFewVisits = (id: string) => /[\\/]sections[\\/]users[\\/](?:selection|export)[\\/]/.test(id);

/** What several pages of a section share is in one chunk with the name of the section. */
const sectionOf = (id: string) =>
  inFewVisits(id) ? null : (/[\\/]dashboard[\\/]src[\\/]sections[\\/]([\w-]+)[\\/]/.exec(id)?.[1] ?? null);

/**
 * The first script imports these chunks as it runs. The browser requests them with that script; otherwise it learns of them
 * a round trip later.
 */
const preloaded = ['start', 'owner-sdk', 'owner'];
const preloadChunks: Plugin = {
  name: 'preload-chunks',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.values(bundle)
        .filter(chunk => chunk.type === 'chunk' && preloaded.includes(chunk.name))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  // Relative addresses. The server writes its own path in front of those in index.html.
  base: './',
  plugins: [react(), tailwindcss(), sonnerWithoutStyleElement, preloadChunks],
  // Sources of our packages: one copy of the component set for the dashboard and the sign-in pages.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    outDir: '../../packages/server/dashboard-dist',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // Many files of a few hundred bytes compress badly: what every page loads is in few chunks.
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial'], priority: 5 },
            { name: 'start', test: /[\\/]dashboard[\\/]src[\\/]start\.tsx$/, priority: 4 },
            { name: 'table', test: inTable, priority: 3 },
            { name: 'owner-sdk', test: inOwnerSdk, priority: 2 },
            { name: 'owner', test: inOwner, priority: 1 },
            { name: sectionOf, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
