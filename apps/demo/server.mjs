import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { acceptsGzip, compressedFile } from './compression.mjs';
import { projectSettings, SettingsRefused } from './project-settings.mjs';

/** The demo's server: files of the build, one page for every address, and the public keys of its project. */

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const keysFile = resolve(folder, '../..', process.env.TESSERA_DATA_DIR || '.tessera', 'keys.json');
const port = Number(process.env.DEMO_PORT || 4281);
const host = process.env.HOST || '127.0.0.1';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compressible = new Set(['.css', '.js', '.svg']);

const server = createServer((request, response) => {
  answer(request, response).catch(error => {
    process.stderr.write(`${error.stack}\n`);
    if (response.headersSent) response.destroy();
    else send(response, 500, 'text/plain; charset=utf-8', 'The demo could not answer. Its log says why.\n');
  });
});

async function answer(request, response) {
  if (request.url === '/project-settings.json') return answerSettings(request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'text/plain; charset=utf-8', 'Only GET and HEAD.\n');
  }
  const path = readPath(request.url);
  if (path === undefined) return send(response, 400, 'text/plain; charset=utf-8', 'This is no address.\n');
  if (path === '/config.json') return sendConfig(response);

  const file = await findFile(path);
  if (file !== undefined) return sendFile(response, path, file, request.method === 'HEAD');
  if (/\.\w+$/.test(path)) return send(response, 404, 'text/plain; charset=utf-8', 'There is no such file.\n');
  return sendPage(response);
}

async function answerSettings(request, response) {
  response.setHeader('cache-control', 'no-store');
  try {
    const project = await readDemoProject();
    if (project?.superSecretAdminKey === undefined) throw new SettingsRefused(503, 'There are no keys yet.');
    send(response, 200, types['.json'], `${JSON.stringify(await projectSettings(request, project))}\n`);
  } catch (error) {
    if (!(error instanceof SettingsRefused)) throw error;
    send(response, error.status, types['.json'], `${JSON.stringify({ error: error.message })}\n`);
  }
}

/** The decoded path of an address; undefined when it is invalid. */
function readPath(url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    return path.startsWith('/') && !path.includes('\0') ? path : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The file of the build at a path; undefined when it is missing. Never reads outside the build. */
async function findFile(path) {
  const file = resolve(dist, `.${path}`);
  if (!file.startsWith(dist + sep) || path === '/index.html') return undefined;
  const found = await stat(file).catch(ignoreMissing);
  return found?.isFile() ? file : undefined;
}

async function sendFile(response, path, file, isHead) {
  // Files under /assets have a hash in their name, so they never change.
  const isFixed = path.startsWith('/assets/');
  response.setHeader('cache-control', isFixed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (isFixed && compressible.has(extname(file))) {
    response.setHeader('vary', 'accept-encoding');
    if (acceptsGzip(response.req.headers['accept-encoding'])) return sendCompressed(response, file);
  }
  writeHead(response, 200, types[extname(file)] ?? 'application/octet-stream');
  if (isHead) response.end();
  else
    createReadStream(file)
      .on('error', error => response.destroy(error))
      .pipe(response);
}

async function sendCompressed(response, file) {
  const body = await compressedFile(file);
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-length', body.length);
  send(response, 200, types[extname(file)], body);
}

async function sendConfig(response) {
  const config = await readConfig();
  response.setHeader('cache-control', 'no-store');
  if (config === undefined) return send(response, 503, types['.json'], '{"error":"There are no keys yet."}\n');
  send(response, 200, types['.json'], `${JSON.stringify(config)}\n`);
}

async function sendPage(response) {
  const [config, page] = await Promise.all([
    readConfig(),
    readFile(join(dist, 'index.html'), 'utf8').catch(ignoreMissing),
  ]);
  response.setHeader('cache-control', 'no-cache');
  if (config === undefined || page === undefined) return sendWaitingPage(response, config === undefined);

  // Addresses of these pages contain codes.
  if (response.req.url.startsWith('/handler/')) response.setHeader('referrer-policy', 'no-referrer');
  const nonce = randomBytes(18).toString('base64');
  response.setHeader('content-security-policy', contentPolicy(new URL(config.baseUrl).origin, nonce));
  send(response, 200, types['.html'], page.replaceAll('__CSP_NONCE__', nonce));
}

function sendWaitingPage(response, isWaitingForKeys) {
  const reason = isWaitingForKeys
    ? `Tessera has not written the keys of the demo project to <code>${escapeHtml(keysFile)}</code> yet. Start it with <code>npm start</code>.`
    : 'The demo is not built yet. Run <code>npm run build</code>.';
  response.setHeader('retry-after', '2');
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  send(
    response,
    503,
    types['.html'],
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark"><title>Shelfmark is waiting</title><h1>Shelfmark is waiting</h1><p>${reason}</p><p>This page tries again by itself.</p></html>\n`,
  );
}

/** The public part of the keys of the demo project; undefined while there is no key file. */
async function readConfig() {
  const project = await readDemoProject();
  if (project === undefined) return undefined;
  const { baseUrl, projectId, publishableClientKey } = project;
  return { baseUrl, projectId, publishableClientKey };
}

async function readDemoProject() {
  const text = await readFile(keysFile, 'utf8').catch(ignoreMissing);
  const keys = text === undefined ? undefined : parseKeys(text);
  const project = keys?.projects?.[keys.demo];
  if (typeof keys?.url !== 'string' || typeof project?.publishableClientKey !== 'string') return undefined;
  const { publishableClientKey, superSecretAdminKey } = project;
  return { baseUrl: keys.url, projectId: keys.demo, publishableClientKey, superSecretAdminKey };
}

/** Undefined while the file is incomplete. */
function parseKeys(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Allows only our own scripts and styles, and requests to the demo and the Tessera server, which has the uploaded images. */
function contentPolicy(apiOrigin, nonce) {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: https: ${apiOrigin}`,
    `connect-src 'self' ${apiOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function send(response, status, type, body) {
  writeHead(response, status, type);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function writeHead(response, status, type) {
  response.writeHead(status, {
    'content-type': type,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': response.getHeader('referrer-policy') ?? 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
}

function ignoreMissing(error) {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return undefined;
  throw error;
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);
}

server.on('error', error => {
  const reason = error.code === 'EADDRINUSE' ? `Port ${port} is taken. Choose another with DEMO_PORT.` : error.message;
  process.stderr.write(`The demo could not start: ${reason}\n`);
  process.exitCode = 1;
});
server.listen(port, host, () => process.stdout.write(`The demo is at http://localhost:${port}\n`));

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    server.closeIdleConnections();
    // An unfinished download must not keep the process running.
    setTimeout(() => server.closeAllConnections(), 3000).unref();
  });
}
