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

/** The shared parts of all pages, except those that few pages use: menus, the editor, and what shows toasts. */
const inFrame = (id: string) =>
  /[\\/](?:dashboard[\\/]src[\\/](?:components|data)|ui[\\/]src)[\\/]/.test(id) &&
  !/[\\/](?:dropdown-menu|json-code-mirror|json-editor|metadata-panel|setting-switch|filled-table|table-features|code-block)\./.test(
    id,
  );

/** Icons and queries. They import nothing of ours, so one chunk of them is never part of a circle of imports. */
const inLibraries = (id: string) => /[\\/](?:lucide-react|react-query|query-core)[\\/]/.test(id);

/**
 * Every page of an owner needs these chunks. The browser requests them with the first script; otherwise it learns of them
 * when that script has run.
 */
const preloaded = ['frame', 'libraries'];
const preloadFrame: Plugin = {
  name: 'preload-frame',
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
  plugins: [react(), tailwindcss(), sonnerWithoutStyleElement, preloadFrame],
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
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'table', test: inTable, priority: 2 },
            { name: 'libraries', test: inLibraries, priority: 1 },
            { name: 'frame', test: inFrame, priority: 1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
