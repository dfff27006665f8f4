import { Hono } from 'hono';
import type { Connection } from '../core/connection.ts';
import type { Settings } from '../env.ts';
import { sha256 } from '../platform/crypto/secrets.ts';
import { DatabaseAway, type Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { escapeHtml } from '../platform/html.ts';
import type { Log } from '../platform/observability/log.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { Readiness } from '../platform/observability/readiness.ts';
import { isFromDeveloper, isLoopback } from './listener/host.ts';
import { publicPath } from './public-path.ts';
import { commonHeaders, htmlType, textType } from './response/respond.ts';

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
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly settings: Pick<Settings, 'publicUrl' | 'metricsToken' | 'mode'>;
  /** Undefined when the server has no mock OAuth provider. */
  readonly mockProvider: object | undefined;
}

/** The paths outside `/api`: the front page, liveness, readiness, and metrics. */
export function servicePages(deps: ServicePagesDeps): Hono<{ Bindings: Connection }> {
  const pages = new Hono<{ Bindings: Connection }>();
  const plain = commonHeaders(deps.settings.publicUrl.startsWith('https:'));
  const asText = { ...plain, 'content-type': textType };

  pages.get(
    '/',
    () =>
      new Response(frontPage(deps), {
        headers: { ...plain, ...frontPagePolicy, 'content-type': htmlType },
      }),
  );

  const askDatabase = () => deps.db.query(sql`select id from projects limit 1`);
  const ok = () => Response.json({ status: 'ok' }, { headers: { ...plain, ...openCors } });

  pages.get('/health', async context => {
    if (context.req.query('db')) await askDatabase();
    return ok();
  });

  pages.get('/ready', async context => {
    if (!deps.readiness.isReady()) return stopping();
    if (context.req.query('db')) await askDatabase();
    return ok();
  });

  const stopping = () =>
    new Response('This process is stopping.', {
      status: 503,
      headers: { ...asText, ...openCors, 'retry-after': stoppingRetrySeconds },
    });

  const { metricsToken, mode, publicUrl } = deps.settings;
  const mayReadMetrics = (request: Request, peerAddress: string | undefined) =>
    metricsToken === undefined
      ? isLoopback(peerAddress) && isFromDeveloper(request, peerAddress, publicUrl)
      : hasBearer(request, metricsToken);
  // In production a loopback peer may be a reverse proxy with public callers, so only a token opens the metrics.
  if (mode === 'development' || metricsToken !== undefined) {
    pages.get('/metrics', async context => {
      if (!mayReadMetrics(context.req.raw, context.env.peerAddress)) {
        return new Response('Metrics need the token, or a caller on this machine.', { status: 403, headers: asText });
      }
      const { metrics } = deps;
      return new Response(await metrics.text(), { headers: { ...plain, 'content-type': metrics.contentType } });
    });
  }

  pages.onError(error => {
    // The database reports its outages itself, once a second.
    if (!(error instanceof DatabaseAway)) deps.log.warn({ error }, 'a service page failed');
    const headers = { ...asText, ...openCors, 'retry-after': '2' };
    return new Response('The database is not available right now.', { status: 503, headers });
  });

  return pages;
}

/** Comparing hashes keeps the comparison time independent of the token. */
function hasBearer({ headers }: Request, token: string): boolean {
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
