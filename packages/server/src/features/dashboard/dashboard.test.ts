import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { internalKeys } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { servePages } from '../../test/serve-pages.ts';
import { createAssets } from './assets.ts';
import { dashboardPages } from './routes.ts';

const markup = `<meta name="tessera" content="__CONFIG__"><style nonce="__CSP_NONCE__"></style><script type="module" src="./assets/index-1a2b.js"></script>`;
const script = 'globalThis.isLoaded = true;\n'.repeat(100);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await openTestServer();
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), markup);
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/index-1a2b.js'), script);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const withPublicUrl = (publicUrl: string) => {
  const settings = { ...server.deps.settings, publicUrl };
  const app = servePages(server, dashboardPages({ ...server.deps, settings }, folder));
  return (path: string) => app(new Request(new URL(path, 'http://localhost')));
};
const ask = async (path: string, headers: Record<string, string> = {}, from = folder) => {
  const app = servePages(server, dashboardPages(server.deps, from));
  return app(new Request(new URL(path, 'http://localhost'), { headers }));
};

test('every path below /dashboard is the page of the dashboard with its configuration', async () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/projects/1/emails', '/dashboard/handler/sign-in?a=b']) {
    const response = await ask(path);
    expect(response.status).toBe(200);
    const text = await response.text();
    const [, config = ''] = /content="([^"]*)"/.exec(text) ?? [];
    expect(JSON.parse(config.replaceAll('&quot;', '"'))).toEqual({
      base: '/dashboard/',
      isUnclaimed: true,
      mode: 'development',
      publishableClientKey: internalKeys.publishableClientKey,
      sharedProviders: ['github', 'google', 'microsoft', 'spotify'],
    });
    expect(text).toContain('src="/dashboard/assets/index-1a2b.js"');
    expect(text).not.toContain(internalKeys.secretServerKey);
  }
});

test('without an owner, the page answers to addresses and to names of this server only', async () => {
  const askHost = async (origin: string) => {
    const response = await withPublicUrl('http://tessera.example')(`${origin}/dashboard`);
    return { status: response.status, hasKey: (await response.text()).includes(internalKeys.publishableClientKey) };
  };
  for (const origin of [
    'http://localhost',
    'http://127.0.0.1:81',
    'http://[::1]',
    'http://10.0.0.7',
    'http://tessera.example',
  ]) {
    expect(await askHost(origin), origin).toEqual({ status: 200, hasKey: true });
  }
  // DNS rebinding: the page of another site, whose name now leads to this machine.
  expect(await askHost('http://rebinding.example')).toEqual({ status: 403, hasKey: false });
});

test('the page says that the installation has no owner until its first user signs up', async () => {
  const isUnclaimed = async () => (await (await ask('/dashboard')).text()).includes('&quot;isUnclaimed&quot;:true');
  expect(await isUnclaimed()).toBe(true);
  await server.make.user({ email: 'first@example.com', password: 'quiet lantern orbit' });
  expect(await isUnclaimed()).toBe(false);
});

test('a public URL with a path puts that path in front of the addresses of the dashboard', async () => {
  const response = await withPublicUrl('https://example.com/auth')('/dashboard/projects');
  const text = await response.text();
  expect(text).toContain('src="/auth/dashboard/assets/index-1a2b.js"');
  expect(text).toContain('&quot;base&quot;:&quot;/auth/dashboard/&quot;');
});

test('control 88: the page runs only scripts of the server, and styles with the nonce of the response, and cannot be framed', async () => {
  const [first, second] = [await ask('/dashboard'), await ask('/dashboard')];
  const [, nonce = ''] = /nonce="([^"]+)"/.exec(await first.text()) ?? [];
  expect(nonce).toHaveLength(24);
  expect(first.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: https: ${new URL(server.deps.settings.publicUrl).origin}; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(second.headers.get('content-security-policy')).not.toContain(nonce);
  expect(first.headers.get('referrer-policy')).toBe('no-referrer');
});

test('the page shows stored images, whose URLs begin with the public URL, at every address of the server', async () => {
  const { headers } = await withPublicUrl('http://tessera.example:4280/auth')('/dashboard');
  expect(headers.get('content-security-policy')).toContain(`img-src 'self' data: https: http://tessera.example:4280;`);
});

test('a file with a hash in its name is sent compressed and may be cached for a year', async () => {
  const path = '/dashboard/assets/index-1a2b.js';
  const [plain, zipped, brotli] = [
    await ask(path),
    await ask(path, { 'accept-encoding': 'gzip, br;q=0' }),
    await ask(path, { 'accept-encoding': 'gzip, deflate, br' }),
  ];
  expect(await plain.text()).toBe(script);
  expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(script);
  expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(script);
  expect(brotli.headers.get('content-encoding')).toBe('br');
  expect(brotli.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(brotli.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('concurrent first requests for a file read and compress it once', async () => {
  const assets = createAssets(folder);
  const find = () => assets.find('assets/index-1a2b.js', 'br');
  const [one, other] = await Promise.all([find(), find()]);
  expect(one).toBeDefined();
  expect(other).toBe(one);
});

test('a file that a new build brings is found after a request for it', async () => {
  const assets = createAssets(folder);
  const find = () => assets.find('assets/later-3c4d.js', 'br');
  expect(await find()).toBeUndefined();
  await writeFile(join(folder, 'assets/later-3c4d.js'), script);
  expect(await find()).toBeDefined();
});

test('a file without a hash in its name is revalidated', async () => {
  const response = await ask('/dashboard/favicon.svg');
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('a file name that is too long is a missing file', async () => {
  const name = `${'a'.repeat(300)}.js`;
  expect((await ask(`/dashboard/${name}`)).headers.get('content-type')).toContain('text/html');
  expect((await ask(`/dashboard/assets/${name}`)).status).toBe(404);
});

test('a missing asset is 404, and no path leaves the folder of the build', async () => {
  expect((await ask('/dashboard/assets/none-1.js')).status).toBe(404);
  for (const path of [
    '/dashboard/..%2f..%2fpackage.json',
    '/dashboard/%2e%2e/package.json',
    '/dashboard/assets/..%2findex.html',
  ]) {
    expect(await (await ask(path)).text()).not.toContain('"name"');
  }
});

test('without a build the page says how to build the dashboard', async () => {
  const response = await ask('/dashboard', {}, join(folder, 'none'));
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build');
});

test('control 88: the page of email previews runs one script, sends nothing, has an origin of its own, and is framed by the dashboard only', async () => {
  const response = await ask('/dashboard/email-preview');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src 'unsafe-inline'; img-src https: http: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts$/,
  );
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await response.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
});
