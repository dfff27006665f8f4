import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runTool } from './setup/processes.mjs';
import { setup } from './setup/setup.mjs';
import { main, Problem } from './setup/terminal.mjs';
import { cacheFolder, root } from './setup/workspace.mjs';

/**
 * Apps as code, by the name of their bundle. `size-limit.json` has the limits of its chunks
 * (docs/architecture.md#budgets). React is not counted.
 */
const apps = {
  client: `import { ClientApp } from '@tessera/client';
    globalThis.app = new ClientApp({ tokenStore: 'cookie', projectId: 'p', publishableClientKey: 'k', baseUrl: 'https://a' });`,
  react: `import { ClientApp } from '@tessera/client';
    import { TesseraProvider, useUser } from '@tessera/react';
    globalThis.app = [ClientApp, TesseraProvider, useUser];`,
  known: `import { ClientApp, isKnown } from '@tessera/client'; globalThis.app = [ClientApp, isKnown];`,
  authenticate: `import { ServerApp } from '@tessera/client'; globalThis.app = ServerApp;`,
  pages: `import { TesseraHandler } from '@tessera/react'; globalThis.handler = TesseraHandler;`,
};

const target = join(cacheFolder, 'size');

/** The pages and chunks that the dashboard loads before the list of users can show its first rows, besides what they import. */
const firstOfDashboard = ['index.html', 'src/sections/users/user-list.tsx', 'owner-sdk'];

/** `npm run size`: bundles as an app does, and compares the chunks with their limits. */
await main(async () => {
  await setup({ only: ['protocol', 'client', 'react'] });
  rmSync(target, { recursive: true, force: true });
  for (const [name, code] of Object.entries(apps)) await writeBundle(name, code);
  await writeDashboard();
  const result = await runTool('size-limit', ['--config', 'scripts/size-limit.json'], { cwd: root, show: true });
  if (!result.ok) throw new Problem('A bundle exceeds its size limit.');
});

/**
 * Bundles an app. `first/` holds the chunks that a page loads at once, `later/` those loaded on demand, `words/` the
 * translations, `authentication/` what `authenticate` loads.
 */
async function writeBundle(name, code) {
  const { rolldown } = await import('rolldown');
  const entry = join(target, name, 'entry.js');
  for (const part of ['first', 'later', 'words', 'authentication']) {
    mkdirSync(join(target, name, part), { recursive: true });
  }
  writeFileSync(entry, code);
  const build = await rolldown({ input: entry, cwd: root, external: [/^react(?:-dom)?(?:\/|$)/], platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = output.filter(file => file.type === 'chunk');
  const first = reachable(chunks, chunk => chunk.imports);
  // The bundler also writes chunks that no page loads, because their importers became unused exports.
  const loaded = reachable(chunks, chunk => [...chunk.imports, ...chunk.dynamicImports]);
  for (const chunk of chunks.filter(({ fileName }) => loaded.has(fileName))) {
    const part = partOf(chunk, first);
    writeFileSync(join(target, name, part, chunk.fileName.replaceAll('/', '-')), chunk.code);
  }
}

/** Builds the dashboard and copies the scripts and styles of its first load. The table is loaded with the first rows. */
async function writeDashboard() {
  const built = join(target, 'dashboard', 'built');
  const first = join(target, 'dashboard', 'first');
  const build = await runTool('vite', ['build', '--manifest', '--logLevel', 'error', '--outDir', built], {
    cwd: join(root, 'apps/dashboard'),
    show: true,
  });
  if (!build.ok) throw new Problem('The dashboard was not built.');
  const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));
  mkdirSync(first, { recursive: true });
  const found = new Set();
  const open = [...firstOfDashboard];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const chunk = manifest[name] ?? Object.values(manifest).find(one => one.name === name);
    if (chunk === undefined) throw new Problem(`The dashboard has no chunk for ${name}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) copyFileSync(join(built, file), join(first, basename(file)));
    open.push(...(chunk.imports ?? []));
  }
}

/** A page loads one language. English comes with the first chunk. Servers alone load `authentication`. */
function partOf(chunk, first) {
  if (first.has(chunk.fileName)) return 'first';
  if (chunk.moduleIds.some(id => /client[\\/]dist[\\/]authentication[\\/]|node_modules[\\/]jose[\\/]/.test(id)))
    return 'authentication';
  return chunk.moduleIds.some(id => /dist[\\/]de-[\w-]+\.js$/.test(id)) ? 'words' : 'later';
}

function reachable(chunks, importsOf) {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
  const found = new Set();
  const open = chunks.filter(chunk => chunk.isEntry).map(chunk => chunk.fileName);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const chunk = byName.get(name);
    if (chunk !== undefined) open.push(...importsOf(chunk));
  }
  return found;
}
