import type { HttpRequest } from '../core/http-request.ts';
import type { Settings } from '../env.ts';
import { sha256 } from '../platform/crypto/secrets.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { escapeHtml } from '../platform/html.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { Readiness } from '../platform/observability/readiness.ts';
import { isFromDeveloper, isLoopback } from './listener/host.ts';
import { publicPath } from './public-path.ts';
import { ErrorWithHeaders, refuse } from './refusal.ts';
import { htmlType, textType } from './response/content-types.ts';
import type { Reply } from './response/reply.ts';
import { commonHeaders } from './response/respond.ts';
import type { Page } from './router.ts';

/** Headers that let any web page call the health endpoints (docs/contract/envelope.md#service-endpoints). */
const openCors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': '*',
};

const stoppingRetrySeconds = '1';

interface ServicePagesDeps {
  readonly db: Queryable;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly settings: Pick<Settings, 'publicUrl' | 'metricsToken' | 'mode'>;
  /** Undefined when the server has no mock OAuth provider. */
  readonly mockProvider: object | undefined;
}

/** The paths outside `/api`: the front page, liveness, readiness, and metrics. */
export function servicePages(deps: ServicePagesDeps): Page[] {
  const plain = commonHeaders(deps.settings.publicUrl.startsWith('https:'));
  const frontPageHeaders = { ...plain, ...frontPagePolicy, 'content-type': htmlType };
  return [
    { method: 'GET', path: '/', value: () => ({ status: 200, headers: frontPageHeaders, body: frontPage(deps) }) },
    ...healthPages(deps, plain),
    ...metricsPages(deps, plain),
  ];
}

type Headers = Readonly<Record<string, string>>;

/** An outage of the database keeps the headers, so that a web page can read the status. */
function healthPages({ db, readiness }: ServicePagesDeps, plain: Headers): Page[] {
  const headers = { ...plain, ...openCors };
  const ok: Reply = {
    status: 200,
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"status":"ok"}',
  };
  const stopping: Reply = {
    status: 503,
    headers: { ...headers, 'content-type': textType, 'retry-after': stoppingRetrySeconds },
    body: 'This process is stopping.',
  };
  const checkDatabase: Page['value'] = async ({ query }) => {
    if (!query.db) return ok;
    await db.query(sql`select id from projects limit 1`).catch(error => {
      throw new ErrorWithHeaders(error, openCors);
    });
    return ok;
  };
  return [
    { method: 'GET', path: '/health', value: checkDatabase },
    {
      method: 'GET',
      path: '/ready',
      value: incoming => (readiness.isReady() ? checkDatabase(incoming) : stopping),
    },
  ];
}

/** In production a loopback peer may be a reverse proxy with public callers, so only a token opens the metrics. */
function metricsPages({ metrics, settings }: ServicePagesDeps, plain: Headers): Page[] {
  const { metricsToken, mode, publicUrl } = settings;
  if (mode === 'production' && metricsToken === undefined) return [];
  const mayRead = (request: HttpRequest, peerAddress: string | undefined) =>
    metricsToken === undefined
      ? isLoopback(peerAddress) && isFromDeveloper(request, peerAddress, publicUrl)
      : hasBearer(request, metricsToken);
  return [
    {
      method: 'GET',
      path: '/metrics',
      value: async ({ request, peerAddress }) => {
        if (!mayRead(request, peerAddress)) refuse(403, 'Metrics need the token, or a caller on this machine.');
        return { status: 200, headers: { ...plain, 'content-type': metrics.contentType }, body: await metrics.text() };
      },
    },
  ];
}

/** Comparing hashes keeps the comparison time independent of the token. */
function hasBearer({ headers }: HttpRequest, token: string): boolean {
  return sha256(headers.get('authorization') ?? '').equals(sha256(`Bearer ${token}`));
}

const frontPagePolicy = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

const mailLink = (path: string) =>
  `\n  <li><a href="${path}/dev/mail">Emails</a> that the server shows instead of sending them</li>`;
const mockProviderLink = (path: string) =>
  `\n  <li><a href="${path}/dev/oauth">Mock provider</a>, which replaces GitHub, Google and the others while they have no keys</li>`;

function frontPage({ settings, mockProvider }: ServicePagesDeps): string {
  const path = escapeHtml(publicPath(settings));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Tessera</title>
<style>
  :root { --page: #f5f6f8; --card: #fff; --line: #dfe2e8; --text: #14161d; --muted: #5a6072; --link: #243c9e; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #0c0d11; --card: #15171e; --line: #2a2e3a; --text: #edeef2; --muted: #a3a9ba; --link: #9fb0ff; }
  }
  body { margin: 0; padding: 15vh 1rem 2rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 34rem; margin: auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  h1 { margin: 0; font-size: 1.5rem; letter-spacing: -0.01em; }
  p { margin: 0.25rem 0 1.25rem; }
  ul { margin: 0; padding: 0; list-style: none; }
  li { padding: 0.7rem 0; border-top: 1px solid var(--line); }
  li, p { color: var(--muted); }
  a { color: var(--link); font-weight: 500; text-underline-offset: 3px; }
</style>
<main>
<h1>Tessera is running</h1>
<p>Sign-in, users, teams, permissions and API keys for your app.</p>
<ul>
  <li><a href="${path}/dashboard">The dashboard</a> of your projects</li>
  <li><a href="${path}/api/v1">The API</a> and <a href="${path}/api/v1/openapi.json">its description</a> (OpenAPI 3.1)</li>
  <li><a href="${path}/health">Health</a> of this process</li>${settings.mode === 'development' ? mailLink(path) : ''}${mockProvider === undefined ? '' : mockProviderLink(path)}
</ul>
</main>
</html>
`;
}
