import { requestHeaders, responseHeaders } from '@tessera/protocol/headers';
import { apiPath } from '@tessera/protocol/limits';
import { parseUrl } from '@tessera/protocol/urls';
import { fetchWithTimeout, isHealthAnswer, whyUnreachable } from '../reach.ts';
import type { Target } from '../target.ts';
import { type Finding, findings } from './check.ts';
import { fixes, passHeaders } from './fixes.ts';
import { clockFinding, publicUrlFinding, requestHeadersFinding, responseHeadersFinding } from './rules.ts';

/** Runs all checks that call the server at its public address. */
export async function checkServer(target: Target): Promise<Finding[]> {
  const { apiUrl } = target;
  const { ok, wrong } = findings('server');
  const startedAt = Date.now();
  const health = await fetchWithTimeout(`${apiUrl}/health`).catch((error: unknown) => whyUnreachable(error));
  if (typeof health === 'string') return [wrong(`No server responds at ${apiUrl}: ${health}.`, 'tessera start')];
  const endedAt = Date.now();
  if (!(await isHealthAnswer(health))) {
    return [
      wrong(
        `The server at ${apiUrl} is not Tessera (status ${health.status}). Point the address, or the proxy behind it, to Tessera.`,
        fixes.proxy,
      ),
    ];
  }
  return [
    ok(`Responds at ${apiUrl}.`),
    ...(await unlessCutOff("server's database", async () => [await checkDatabaseOfServer(apiUrl)])),
    ...(await unlessCutOff('API', () => checkApi(target))),
    checkClock(health, startedAt, endedAt),
    ...(await unlessCutOff('OAuth callback', async () => [await checkOAuthCallback(apiUrl)])),
  ];
}

/** The findings of a check, or the one that its connection was closed or had no response in time. */
async function unlessCutOff(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const message = `A request of this check failed: ${whyUnreachable(error)}. Look into the log of the server, and of the proxy in front of it.`;
    return [findings(name).wrong(message, fixes.proxy)];
  }
}

async function checkDatabaseOfServer(apiUrl: string): Promise<Finding> {
  const { ok, wrong } = findings("server's database");
  const answer = await fetchWithTimeout(`${apiUrl}/health?db=1`);
  if (await isHealthAnswer(answer)) return ok('The server is connected to its database.');
  const { status } = answer;
  if (answer.ok) {
    return wrong(`A proxy answers ${apiUrl}/health?db=1 instead of the server (status ${status}).`, fixes.proxy);
  }
  return wrong(
    `The server cannot connect to its database (status ${status}). Check that it runs, and check DATABASE_URL.`,
    fixes.database('DATABASE_URL'),
  );
}

/** Checks the description of the API, and the headers in both directions. */
async function checkApi({ apiUrl, projectId, ...keys }: Target): Promise<Finding[]> {
  const base = apiUrl + apiPath;
  const credentials = credentialsOf(keys);
  const headers = { [requestHeaders.projectId]: projectId };
  const given = credentials[0];
  const greeting = await fetchWithTimeout(
    base,
    given === undefined ? {} : { headers: { ...headers, ...given.headers } },
  );
  const text = await greeting.text();
  const isHttps = apiUrl.startsWith('https:');
  return [
    await checkPublicUrl(apiUrl, projectId),
    responseHeadersFinding(greeting.headers, isHttps),
    // The server refused the key, so the headers arrived.
    greeting.ok && given !== undefined
      ? requestHeadersFinding(text, projectId)
      : findings('request headers').skipped('This check needs a valid key.'),
    ...(await checkKeys(base, projectId, credentials)),
  ];
}

async function checkPublicUrl(apiUrl: string, projectId: string): Promise<Finding> {
  const { wrong } = findings('public URL');
  const answer = await fetchWithTimeout(`${apiUrl}${apiPath}/openapi.json`);
  const document: unknown = await answer.json().catch(() => undefined);
  const own = Object(document).servers?.[0]?.url;
  if (typeof own !== 'string' || parseUrl(own) === undefined) {
    return wrong(
      `${apiUrl}${apiPath}/openapi.json is not the description of this API: a proxy responds instead of the server.`,
      fixes.proxyApi,
    );
  }
  const finding = publicUrlFinding(apiUrl, own.replace(/\/api\/v1$/, ''));
  if (finding.status !== 'ok') return finding;
  const jwks = await fetchWithTimeout(`${apiUrl}${apiPath}/projects/${projectId}/.well-known/jwks.json`);
  const body: unknown = await jwks.json().catch(() => undefined);
  if (Array.isArray(Object(body).keys)) return finding;
  if (jwks.status === 404) {
    const message = `The server has no project ${projectId}. Correct --project (TESSERA_PROJECT_ID).`;
    return wrong(message, 'tessera projects list');
  }
  return wrong(
    `The public signing keys at ${jwks.url} cannot be read (status ${jwks.status}): a proxy blocks them.`,
    fixes.proxyApi,
  );
}

interface Credential {
  readonly variable: string;
  readonly headers: Record<string, string>;
}

function credentialsOf(keys: Omit<Target, 'apiUrl' | 'projectId'>): Credential[] {
  const known = [
    ['client', requestHeaders.publishableClientKey, keys.publishableClientKey, 'TESSERA_PUBLISHABLE_CLIENT_KEY'],
    ['server', requestHeaders.secretServerKey, keys.secretServerKey, 'TESSERA_SECRET_SERVER_KEY'],
    ['admin', requestHeaders.superSecretAdminKey, keys.superSecretAdminKey, 'TESSERA_SUPER_SECRET_ADMIN_KEY'],
  ] as const;
  return known.flatMap(([level, header, key, variable]) =>
    key === undefined ? [] : [{ variable, headers: { [requestHeaders.accessType]: level, [header]: key } }],
  );
}

async function checkKeys(base: string, projectId: string, credentials: readonly Credential[]): Promise<Finding[]> {
  const { ok, wrong, skipped } = findings('keys');
  if (credentials.length === 0) return [skipped('This environment has no keys.')];
  const url = `${base}/projects/current`;
  const refused: string[] = [];
  for (const { variable, headers } of credentials) {
    const answer = await fetchWithTimeout(url, { headers: { [requestHeaders.projectId]: projectId, ...headers } });
    const { id, code } = Object(await answer.json().catch(() => undefined));
    if (answer.ok && id === projectId) continue;
    if (typeof code !== 'string') {
      const message = `The keys cannot be checked: ${url} does not answer as the server does (status ${answer.status}).`;
      return [wrong(message, fixes.proxyApi)];
    }
    refused.push(`${variable} (${code})`);
  }
  if (refused.length === 0)
    return [ok(`Valid for project ${projectId}: ${credentials.length} of ${credentials.length}.`)];
  return [
    wrong(`Not valid for project ${projectId}: ${refused.join(', ')}.`, `tessera keys create --project ${projectId}`),
  ];
}

function checkClock(answer: Response, startedAt: number, endedAt: number): Finding {
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) {
    return findings('clock').wrong('Responses have no Date header: a proxy removes it.', passHeaders(['date']));
  }
  return clockFinding(date - (startedAt + endedAt) / 2, (endedAt - startedAt) / 2);
}

/** Without a state the server refuses the call. The refusal shows that the request reached the server. */
async function checkOAuthCallback(apiUrl: string): Promise<Finding> {
  const { ok, wrong } = findings('OAuth callback');
  const path = `${apiPath}/auth/oauth/callback/github`;
  const answer = await fetchWithTimeout(apiUrl + path, { redirect: 'manual' });
  await answer.body?.cancel();
  if (answer.headers.has(responseHeaders.requestId) && answer.status !== 404)
    return ok(`${apiUrl}${path} reaches the server.`);
  return wrong(
    `${apiUrl}${path} does not reach the server (status ${answer.status}), so sign-in with a provider fails. Let the proxy pass on all paths below ${apiPath}.`,
    fixes.proxyApi,
  );
}
