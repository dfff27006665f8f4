import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runTool } from '../../setup/processes.mjs';
import { root } from '../../setup/workspace.mjs';
import { readSource } from '../imports/source-imports.mjs';
import { listExamples, writeExamples } from './doc-examples.mjs';
import {
  listCode,
  listReadmeCode,
  readGuides,
  readQuickstarts,
  readReadmes,
  writeBlocks,
  writeCode,
} from './guides.mjs';

/** The compiler also reads the sources of the SDK, and test machines are slow. */
const compileMs = 120_000;

const guides = readGuides();
const quickstarts = readQuickstarts();
const readmes = readReadmes();
// The source of what is checked here, like the texts: the dashboard exports nothing.
const { snippets } = await import(join(root, 'apps/dashboard/src/sections/get-started/snippets.ts'));
let folder;

function listFiles(parent) {
  return readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name));
}

beforeAll(() => {
  // The code of the examples is compiled when they are built.
  const ownCode = [...quickstarts].map(([name, text]) => [name, withoutExampleCode(name, text)]);
  folder = writeCode(new Map([...guides, ...ownCode]));
  for (const [name, text] of readmes) writeBlocks(join(folder, 'readmes', name), listReadmeCode(text));
  for (const [name, files] of dashboardFiles()) writeBlocks(join(folder, 'dashboard', name), files);
  writeExamples(join(folder, 'doc-comments'), ['packages/client', 'packages/react'].flatMap(listExamples));
});

/** The TypeScript files of the page "Get started" of the dashboard, by framework. */
function dashboardFiles() {
  const keys = { apiUrl: 'a', projectId: 'b', publishableClientKey: 'c', secretServerKey: 'd' };
  return Object.entries(snippets).map(([name, write]) => [
    name,
    write(keys)
      .filter(({ file }) => /\.tsx?$/.test(file))
      .map(({ file, code }) => ({ name: file, code })),
  ]);
}

/** The folder of the example that a quickstart explains. */
const exampleOf = name => join(root, 'examples', basename(name, '.md'));

function withoutExampleCode(quickstart, text) {
  const own = listCode(text).filter(({ name }) => !existsSync(join(exampleOf(quickstart), name)));
  return own.map(({ name, code }) => `\`\`\`ts\n// ${name}\n${code}\`\`\`\n`).join('');
}

test('every guide and its code blocks are listed here', () => {
  const code = Object.fromEntries([...guides].map(([name, text]) => [name, listCode(text).map(block => block.name)]));
  expect(code).toEqual({
    'README.md': [],
    'architecture.md': [],
    'glossary.md': [],
    'browser-app.md': [
      'src/tessera.ts',
      'src/sign-in.ts',
      'src/callback.ts',
      'src/account.ts',
      'src/header.ts',
      'src/use-user.ts',
    ],
    'cli-login.md': ['session.ts'],
    'custom-pages.md': ['sign-in.tsx', 'verification.tsx', 'tessera.ts', 'handler.tsx'],
    'errors.md': ['errors.ts'],
    'migration.md': ['stack.ts', 'stack/server.ts', 'server/invoices.ts', 'client/invoices.tsx', 'users.ts'],
    'performance.md': [],
    'server.md': [
      'express.ts',
      'hono.ts',
      'worker.ts',
      'feed.ts',
      'away-hono.ts',
      'away-express.ts',
      'key.ts',
      'scopes.ts',
      'job.ts',
    ],
    'tasks.md': ['repositories.ts', 'permission.ts'],
    'testing-your-app.md': [
      'src/test/render-as.tsx',
      'src/greeting.test.tsx',
      'e2e/sign-up.ts',
      'e2e/account.spec.ts',
      'e2e/mail.ts',
      'test/caller.ts',
    ],
    'typed-app.md': ['tessera-types.ts', 'theme.ts', 'sign-in.tsx', 'checked-theme.ts'],
    'webhooks.md': ['receiver.ts', 'endpoint.ts'],
  });
});

test('every README with code blocks is listed here', () => {
  const counts = [...readmes].map(([name, text]) => [name, listReadmeCode(text).length]);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual({
    '.': 1,
    'packages/client': 1,
    'packages/embedded-postgres': 1,
    'packages/react': 3,
    'examples/express': 1,
  });
});

test('every TypeScript file of the page "Get started" of the dashboard is listed here', () => {
  const names = dashboardFiles().map(([framework, files]) => [framework, files.map(({ name }) => name)]);
  expect(Object.fromEntries(names)).toEqual({
    react: ['src/main.tsx'],
    next: ['tessera.ts', 'app/layout.tsx', 'app/handler/[...path]/page.tsx'],
    express: [],
    fetch: [],
  });
});

test('a code block in a step of a README is read without its indentation', () => {
  const text = '1. Do this:\n\n   ```tsx\n   if (a) {\n     b();\n   }\n   ```\n';
  expect(listReadmeCode(text)).toEqual([{ name: 'block-0.tsx', code: 'if (a) {\n  b();\n}\n' }]);
});

test('every example has a quickstart', () => {
  const examples = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  expect([...quickstarts.keys()].sort()).toEqual(examples.map(({ name }) => `${name}.md`).sort());
});

test.each([...quickstarts])('the code in quickstarts/%s is the code of its example', (name, text) => {
  const code = listCode(text).filter(block => existsSync(join(exampleOf(name), block.name)));
  expect(code.length).toBeGreaterThan(0);
  for (const block of code) expect(readFileSync(join(exampleOf(name), block.name), 'utf8')).toBe(block.code);
});

const texts = [...guides, ...[...quickstarts].map(([name, text]) => [`quickstarts/${name}`, text])];

test.each(texts)('in %s every code block is compiled and every link works', (name, text) => {
  const named = listCode(text).length;
  expect([...text.matchAll(/^```(?:tsx?|jsx?)$/gm)]).toHaveLength(named);
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link).filter(link => !/^https?:/.test(link));
  expect(links.filter(link => !existsSync(resolve(root, 'docs', dirname(name), link)))).toEqual([]);
});

test('the import map of the browser guide names every package that the client imports, at its real path', () => {
  const [, json] = /<script type="importmap">([\s\S]*?)<\/script>/.exec(guides.get('browser-app.md'));
  const { imports } = JSON.parse(json);
  const needed = listFiles(join(root, 'packages/client/src'))
    // `authenticate` runs on servers only, and browsers never load its chunk.
    .filter(file => !/\.test\.ts$|[\\/](?:test|authentication)[\\/]/.test(file))
    .flatMap(file => readSource(file, readFileSync(file, 'utf8')).imports)
    .filter(({ specifier, isType }) => !isType && !specifier.startsWith('.'))
    .map(({ specifier }) => specifier);
  const own = Object.keys(imports).filter(name => name !== '@tessera/client');
  expect(own.sort()).toEqual([...new Set(needed)].sort());

  for (const [specifier, address] of Object.entries(imports)) {
    const path = address.replace('/modules/', '');
    const [name, subpath] = [specifier.split('/').slice(0, 2).join('/'), specifier.split('/').slice(2).join('/')];
    const folder = installedForClient(name);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const given = exports[subpath === '' ? '.' : `./${subpath}`];
    expect(path).toBe(join(name, given.default ?? given.import));
    // Our packages are built after the tests. Other packages are installed.
    if (!name.startsWith('@tessera/')) expect(existsSync(join(folder, given.import))).toBe(true);
  }
});

/** The folder of a package, in the version that `@tessera/client` depends on: the root may have an older one. */
function installedForClient(name) {
  const folders = ['packages/client/node_modules', 'node_modules'].map(modules => join(root, modules, name));
  return folders.find(existsSync);
}

test('the code of the guides, the READMEs, the dashboard and the doc comments compiles', {
  timeout: compileMs,
}, async () => {
  const { output } = await runTool('typescript7:tsc', ['--project', folder, '--noEmit', '--pretty', 'false'], {
    cwd: root,
  });
  expect(output).toBe('');
});

describe('the server of the guide', () => {
  beforeAll(() => {
    for (const name of ['PROJECT_ID', 'PUBLISHABLE_CLIENT_KEY', 'SECRET_SERVER_KEY'])
      vi.stubEnv(`TESSERA_${name}`, 'x');
    vi.stubEnv('TESSERA_API_URL', 'http://127.0.0.1:1');
  });
  afterAll(() => vi.unstubAllEnvs());

  test('answers 401 to a signed-out caller without a call to Tessera', async () => {
    const { app } = await import(join(folder, 'server/hono.ts'));
    const answer = await app.request('/api/me');
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Please sign in.' }]);
    const { default: worker } = await import(join(folder, 'server/worker.ts'));
    const refused = await worker.fetch(new Request('https://api.example.com/'), process.env);
    expect(refused.status).toBe(401);
  });

  test('answers 503 while Tessera cannot be reached', async () => {
    const { answerWhenAway } = await import(join(folder, 'server/away-hono.ts'));
    const { announce } = await import(join(folder, 'server/job.ts'));
    const app = answerWhenAway(new Hono().post('/', async context => context.json(await announce([], 'News'))));
    const answer = await app.request('/', { method: 'POST' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

test('the receiver of the guide handles a signed webhook once and refuses a changed body', async () => {
  const key = Buffer.alloc(32, 1);
  const { receiver } = await import(join(folder, 'webhooks/receiver.ts'));
  const handle = vi.fn();
  const app = receiver(`whsec_${key.toString('base64')}`, handle);
  const body = JSON.stringify({ type: 'user.created', data: { id: 'u1' } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const deliver = async sent =>
    (await app.request('/webhooks/tessera', { method: 'POST', headers, body: sent })).status;
  expect(await deliver(body)).toBe(204);
  expect(await deliver(body)).toBe(204);
  expect(await deliver(`${body} `)).toBe(401);
  expect(handle.mock.calls).toEqual([[{ type: 'user.created', data: { id: 'u1' } }]]);
});
