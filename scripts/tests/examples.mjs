import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run, runNpm } from '../setup/processes.mjs';
import { Problem, say, seconds } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { ensureChromium } from './chromium.mjs';
import { lookAtSignIn } from './example-page.mjs';
import { freePort, withProcess, withTessera } from './example-processes.mjs';

/** Copies only what a customer would have: no installed or built files. */
const generated = ['node_modules', 'dist', '.next', '.env.local', 'package-lock.json', 'next-env.d.ts'];

/** Variables of the examples, by the prefix that exposes them to the browser. */
const publicVariables = (prefix, { url, projectId, publishableClientKey }) => ({
  [`${prefix}API_URL`]: url,
  [`${prefix}PROJECT_ID`]: projectId,
  [`${prefix}PUBLISHABLE_CLIENT_KEY`]: publishableClientKey,
});
const secretVariable = ({ secretServerKey }) => ({ TESSERA_SECRET_SERVER_KEY: secretServerKey });

const examples = [
  {
    name: 'express',
    variables: tessera => ({ ...publicVariables('TESSERA_', tessera), ...secretVariable(tessera) }),
    start: () => ({ script: 'server.mjs' }),
    readyPath: '/api/me',
    checks: checkExpress,
  },
  {
    name: 'vite',
    builds: true,
    variables: tessera => publicVariables('VITE_TESSERA_', tessera),
    start: port => ({ script: 'node_modules/vite/bin/vite.js', args: ['preview', '--port', port, '--strictPort'] }),
    readyPath: '/',
    checks: checkVite,
  },
  {
    name: 'next',
    builds: true,
    variables: tessera => ({ ...publicVariables('NEXT_PUBLIC_TESSERA_', tessera), ...secretVariable(tessera) }),
    start: port => ({ script: 'node_modules/next/dist/bin/next', args: ['start', '--port', port] }),
    readyPath: '/',
    checks: checkNext,
  },
];

/**
 * Installs, builds and tests the examples as a customer would: in a temporary folder, with the packed packages, against
 * a running server. Returns the number of passed checks, and the names of the failed ones.
 *
 * @param {object} options
 * @param {boolean} [options.isPacked] whether packed/ is current
 */
export async function tryExamples({ isPacked = false } = {}) {
  if (!isPacked) await runOrFail(run(process.execPath, [join(root, 'scripts/pack.mjs')], { cwd: root }), 'Packing');

  const folder = mkdtempSync(join(tmpdir(), 'tessera-examples-'));
  const report = { passed: 0, failures: [] };
  try {
    await withTessera(folder, async tessera => {
      for (const example of examples)
        await tryExample(example, { folder: join(folder, example.name), tessera, report });
    });
  } catch (error) {
    noteFailure(report, 'the server for the examples', error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

async function tryExample(example, { folder, tessera, report }) {
  const { name, variables, start, readyPath, checks } = example;
  const check = (what, body) => runCheck(report, `${name}: ${what}`, body);
  const isThere = await check('installs and builds', () => prepare(example, folder, variables(tessera)));
  if (!isThere) return;

  const port = String(await freePort());
  const env = { ...process.env, ...environment(), PORT: port, ...(example.builds ? {} : variables(tessera)) };
  const program = { name, cwd: folder, env, ...start(port) };
  const runs = () =>
    withProcess(program, `http://localhost:${port}${readyPath}`, () =>
      checks({ check, tessera, folder, url: `http://localhost:${port}` }),
    );
  await check('runs', runs);
}

async function prepare({ name, builds }, folder, variables) {
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: path => !generated.includes(basename(path)),
  });
  useAbsolutePackages(folder);
  const text = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
  if (existsSync(join(folder, '.env.example'))) writeFileSync(join(folder, '.env.local'), text.join(''));

  const options = { cwd: folder, env: environment() };
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await runOrFail(runNpm(['install', ...quietly], options), 'npm install');
  if (builds) await runOrFail(runNpm(['run', 'build'], options), 'npm run build');
}

/** The example is copied to another folder, so the paths to the packages become absolute. */
function useAbsolutePackages(folder) {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(manifest.dependencies).map(([name, version]) => [
    name,
    version.replace('file:../..', `file:${root}`),
  ]);
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: Object.fromEntries(entries) }, null, 2));
}

/** The environment without Tessera's settings and without the variables that npm sets for its scripts. */
function environment() {
  const foreign = /^(TESSERA|NEXT_PUBLIC|VITE|STACK|VITEST)_|^(NODE_ENV|NODE_OPTIONS|PORT|VITEST)$/;
  const own = Object.keys(process.env).filter(name => foreign.test(name));
  return { ...Object.fromEntries(own.map(name => [name, undefined])), NEXT_TELEMETRY_DISABLED: '1' };
}

async function checkExpress({ check, tessera, url }) {
  await check('says 401 to a stranger', async () => {
    const response = await fetch(`${url}/api/me`);
    assert.deepEqual([response.status, await response.json()], [401, { error: 'Please sign in.' }]);
  });

  const person = await signUp(tessera);
  const headers = { 'x-stack-auth': JSON.stringify(person.tokens) };
  await check('knows who is signed in', async () => {
    const response = await fetch(`${url}/api/me`, { headers });
    assert.deepEqual(
      [response.status, await response.json()],
      [200, { id: person.id, email: person.email, name: null }],
    );
  });
  await check('counts visits in server metadata', async () => {
    const visit = async () => (await fetch(`${url}/api/visits`, { method: 'POST', headers })).json();
    assert.deepEqual([await visit(), await visit()], [{ visits: 1 }, { visits: 2 }]);
  });
}

async function checkVite({ check, tessera, folder, url }) {
  await check('serves the app at every address', async () => {
    for (const path of ['/', '/handler/sign-in']) {
      const { status, text } = await get(url + path);
      assert.equal(status, 200);
      const [, script] = text.match(/<script type="module"[^>]* src="([^"]+)"/) ?? [];
      assert.ok(script, 'the page loads no script');
      assert.equal((await get(url + script)).status, 200);
    }
  });
  // The bundler decides in which file the settings are.
  await check('holds the publishable key', () =>
    assert.ok(findHolder(join(folder, 'dist'), tessera.publishableClientKey)),
  );
  await check('holds no secret key', () => assertNothingHolds(join(folder, 'dist'), tessera.secretServerKey));
  await checkColors(check, url);
}

async function checkNext({ check, tessera, folder, url }) {
  const person = await signUp(tessera);
  const { accessToken, refreshToken } = person.tokens;
  const cookie = [
    `stack-refresh-${tessera.projectId}=${refreshToken}`,
    `stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`,
  ].join('; ');
  const secrets = [accessToken, refreshToken, tessera.secretServerKey];
  const seen = [];
  const visit = async (path, options) => {
    const answer = await get(url + path, options);
    seen.push(answer.text);
    return answer;
  };

  await check('renders on the server that the visitor is signed out', async () => {
    const { status, text } = await visit('/');
    assert.equal(status, 200);
    assert.match(text, /You are signed out\./);
  });
  await check('renders on the server who is signed in', async () => {
    assert.match(
      (await visit('/', { headers: { cookie } })).text,
      new RegExp(`signed in as (<!-- -->)?${person.email}`),
    );
  });
  await check('redirects a signed-out visitor from the protected page to the sign-in page', async () => {
    const { status, location } = await visit('/account');
    assert.equal(status, 307);
    assert.equal(new URL(location ?? '', url).pathname, '/handler/sign-in');
    assert.equal(new URL(location ?? '', url).searchParams.get('after_auth_return_to'), '/account');
  });
  await check('shows the protected page to a signed-in user', async () => {
    const { status, text } = await visit('/account', { headers: { cookie } });
    assert.equal(status, 200);
    assert.ok(text.includes(person.email));
  });
  await check('renders hooks of client components on the server, for the user of the request', async () => {
    assert.match((await visit('/')).text, /Hello, visitor\./);
    assert.ok((await visit('/', { headers: { cookie } })).text.includes(`Hello, ${person.email}.`));
  });
  await check('answers its API by cookie and by bearer token, and 401 to others', async () => {
    assert.equal((await visit('/api/me')).status, 401);
    for (const headers of [{ cookie }, { authorization: `Bearer ${accessToken}` }]) {
      const { status, text } = await visit('/api/me', { headers });
      assert.deepEqual([status, JSON.parse(text)], [200, { id: person.id }]);
    }
  });
  await check(
    'refreshes a missing access token in the proxy: the page knows the user, and the browser gets cookies',
    async () => {
      const old = `stack-refresh-${tessera.projectId}=${refreshToken}`;
      const response = await fetch(`${url}/`, { headers: { cookie: old } });
      assert.match(await response.text(), new RegExp(`signed in as (<!-- -->)?${person.email}`));
      const names = response.headers.getSetCookie().map(text => text.split('=')[0]);
      assert.deepEqual(names.sort(), ['stack-access', `stack-refresh-${tessera.projectId}`]);
    },
  );
  await check('opens a session that scripts cannot read', async () => {
    const body = JSON.stringify({ email: person.email, password: person.password });
    const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
    const response = await fetch(`${url}/server-session`, { method: 'POST', headers, body });
    assert.equal(response.status, 200);
    const written = response.headers.getSetCookie().filter(text => text.startsWith('__Host-stack-'));
    assert.equal(written.length, 2);
    for (const text of written) assert.match(text, /HttpOnly/i);
    const own = written.map(text => text.split(';')[0]).join('; ');
    assert.equal((await visit('/api/me', { headers: { cookie: own } })).status, 200);
  });
  await check('serves the handler pages, and 404 for unknown ones', async () => {
    const page = await visit('/handler/sign-in');
    assert.equal(page.status, 200);
    assert.match(page.text, /class="tessera-root tessera-page/);
    // The response has begun when the page is looked up, so its status is 200 and the page says 404.
    assert.match((await visit('/handler/no-such-page')).text, /NEXT_HTTP_ERROR_FALLBACK;404/);
  });
  await check('never writes a token or the secret key into a page', () => {
    for (const text of seen) for (const secret of secrets) assert.ok(!text.includes(secret));
  });
  await checkColors(check, url);
  await check('sends no secret key to browsers', () =>
    assertNothingHolds(join(folder, '.next/static'), tessera.secretServerKey),
  );
}

/** What the CSS compiler of the framework made of our stylesheet. */
const colorsOf = {
  light: {
    page: 'rgb(245, 246, 248)',
    card: 'rgb(255, 255, 255)',
    button: 'rgb(35, 64, 160)',
    text: 'rgb(255, 255, 255)',
  },
  dark: { page: 'rgb(12, 14, 19)', card: 'rgb(20, 23, 30)', button: 'rgb(149, 169, 252)', text: 'rgb(11, 17, 48)' },
};

async function checkColors(check, url) {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    await check(`shows the sign-in page in its ${scheme} colours, without an error in the console`, async () => {
      const chromium = await ensureChromium();
      if (!chromium) throw new Problem('Chromium is missing and could not be installed.');
      const { colors, problems } = await lookAtSignIn(chromium, url, scheme);
      assert.deepEqual(colors, colorsOf[scheme]);
      assert.deepEqual(problems, []);
    });
  }
}

async function get(url, options) {
  const response = await fetch(url, { redirect: 'manual', ...options });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

function assertNothingHolds(folder, secret) {
  assert.equal(findHolder(folder, secret)?.name, undefined);
}

/** The first file of a folder with this text. */
function findHolder(folder, text) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  assert.ok(files.length > 0, `${folder} is empty`);
  return files.find(file => readFileSync(join(file.parentPath, file.name), 'utf8').includes(text));
}

/** Signs up a new user with the API. */
async function signUp({ url, projectId, publishableClientKey }) {
  const name = randomBytes(6).toString('hex');
  const email = `ada-${name}@example.com`;
  const password = `correct horse ${name}`;
  const response = await fetch(`${url}/api/v1/auth/password/sign-up`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': publishableClientKey,
    },
    body: JSON.stringify({
      email,
      password,
      verification_callback_url: 'http://localhost:3000/verify',
    }),
  });
  if (!response.ok) throw new Problem(`The sign-up failed: ${response.status} ${await response.text()}`);
  const answer = /** @type {Record<string, string>} */ (await response.json());
  const { user_id: id, access_token: accessToken, refresh_token: refreshToken } = answer;
  return { id, email, password, tokens: { accessToken, refreshToken } };
}

/** Runs a check, prints and counts its failure. Returns whether it passed. */
async function runCheck(report, name, body) {
  const startedAt = performance.now();
  try {
    await body();
  } catch (error) {
    noteFailure(report, name, error);
    return false;
  }
  report.passed += 1;
  say(`✓ ${name}  ${seconds(startedAt)}`);
  return true;
}

function noteFailure(report, name, error) {
  report.failures.push(name);
  say(`✗ ${name}\n\n${error instanceof Problem ? error.message : error.stack}\n`);
}

async function runOrFail(running, what) {
  const result = await running;
  if (!result.ok) throw new Problem(`${result.output.trim()}\n\n${what} failed.`);
}
