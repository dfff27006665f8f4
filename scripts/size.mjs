import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './processes.mjs';
import { setup } from './setup.mjs';
import { main, Problem } from './terminal.mjs';
import { cacheFolder, root } from './workspace.mjs';

/** What an app imports, and what of it the first chunk may take (docs/architecture.md#budgets). React itself is the app's own. */
const bundles = {
  client: {
    code: `import { ClientApp } from '@tessera/client';
      globalThis.app = new ClientApp({ tokenStore: 'cookie', projectId: 'p', publishableClientKey: 'k', baseUrl: 'https://a' });`,
  },
  react: {
    code: `import { ClientApp } from '@tessera/client';
      import { TesseraProvider, useUser } from '@tessera/react';
      globalThis.app = [ClientApp, TesseraProvider, useUser];`,
  },
  pages: { code: `import { TesseraHandler } from '@tessera/react'; globalThis.handler = TesseraHandler;` },
};

const target = join(cacheFolder, 'size');

/** `npm run size`: bundles the way an app does, and holds the chunks against their limits. */
await main(async () => {
  await setup({ only: ['protocol', 'client', 'react'] });
  rmSync(target, { recursive: true, force: true });
  for (const [name, bundle] of Object.entries(bundles)) await writeBundle(name, bundle.code);
  const result = await runTool('size-limit', ['--config', 'scripts/size-limit.json'], { cwd: root, show: true });
  if (!result.ok) throw new Problem('A bundle is larger than its limit.');
});

/** `first/` holds what a page loads at once, `later/` what is imported on demand, `words/` the other languages. */
async function writeBundle(name, code) {
  const { rolldown } = await import('rolldown');
  const entry = join(target, name, 'entry.js');
  mkdirSync(join(target, name, 'first'), { recursive: true });
  mkdirSync(join(target, name, 'later'), { recursive: true });
  mkdirSync(join(target, name, 'words'), { recursive: true });
  writeFileSync(entry, code);
  const build = await rolldown({ input: entry, cwd: root, external: [/^react(?:-dom)?(?:\/|$)/], platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = output.filter(file => file.type === 'chunk');
  const first = reachable(chunks, chunk => chunk.imports);
  // The bundler also writes chunks that nothing imports any more once unused exports are gone; no page ever loads them.
  const loaded = reachable(chunks, chunk => [...chunk.imports, ...chunk.dynamicImports]);
  for (const chunk of chunks.filter(({ fileName }) => loaded.has(fileName))) {
    const part = partOf(chunk, first);
    writeFileSync(join(target, name, part, chunk.fileName.replaceAll('/', '-')), chunk.code);
  }
}

/** Whoever reads the pages reads them in one language, of which the first comes with the pages. */
function partOf(chunk, first) {
  if (first.has(chunk.fileName)) return 'first';
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
