import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../../core/http-request.ts';
import type { Settings } from '../../env.ts';
import { isFromOwnOrigin } from '../../http/listener/host.ts';
import { publicPath } from '../../http/public-path.ts';
import { refuse } from '../../http/refusal.ts';
import { htmlType } from '../../http/response/content-types.ts';
import type { Reply } from '../../http/response/reply.ts';
import { commonHeaders } from '../../http/response/respond.ts';
import type { Page } from '../../http/router.ts';
import { readKeyFile } from '../../platform/crypto/key-file.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { escapeHtml, html } from '../../platform/html.ts';
import { selectInstallation, usableSharedProviders } from '../installation/index.ts';
import { type Asset, builtDashboard, createAssets } from './assets.ts';
import { emailPreviewHeaders, emailPreviewPage } from './email-preview.ts';

interface DashboardDeps {
  readonly db: Queryable;
  readonly settings: Pick<Settings, 'dataDir' | 'internal' | 'mode' | 'oauthClients' | 'publicUrl'>;
}

/** The URLs of stored images begin with the public URL, at whatever address of this server the page is open. */
const contentPolicy = (nonce: string, publicUrl: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: https: ${new URL(publicUrl).origin}`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `frame-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** The dashboard: files of its build, and one page for every other path below `/dashboard`. */
export function dashboardPages({ settings, db }: DashboardDeps, folder = builtDashboard): Page[] {
  const assets = createAssets(folder);
  const common = commonHeaders(settings.publicUrl.startsWith('https:'));
  const base = `${publicPath(settings)}/dashboard/`;

  let isOwned = false;
  const emailPreview: Reply = { status: 200, headers: emailPreviewHeaders(common), body: emailPreviewPage };
  return [
    { method: 'GET', path: '/dashboard/email-preview', value: () => emailPreview },
    { method: 'GET', path: '/dashboard/*', value: ({ request }) => sendFile(request) },
  ];

  async function sendFile(request: HttpRequest): Promise<Reply> {
    const path = new URL(request.url).pathname.slice('/dashboard/'.length);
    const asset = await assets.find(path, request.headers.get('accept-encoding') ?? '');
    if (asset !== undefined) return sendAsset(asset);
    if (path.startsWith('assets/')) refuse(404, 'There is nothing here.');
    return sendPage(request);
  }

  function sendAsset({ body, type, encoding, isImmutable }: Asset): Reply {
    const headers = {
      ...common,
      'content-type': type,
      vary: 'accept-encoding',
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    };
    return { status: 200, headers, body };
  }

  async function sendPage(request: HttpRequest): Promise<Reply> {
    const [page, publishableClientKey, isUnclaimed] = await Promise.all([
      assets.page(),
      loadPublishableKey(),
      hasNoOwner(),
    ]);
    // A page with the key of `internal` can create the first owner, also a page that uses DNS rebinding.
    if (isUnclaimed && settings.mode === 'development' && !isFromOwnOrigin(request, settings.publicUrl)) {
      refuse(403, foreignNameText(settings.publicUrl));
    }
    const nonce = randomBytes(18).toString('base64');
    const headers = {
      ...common,
      'content-type': htmlType,
      'content-security-policy': contentPolicy(nonce, settings.publicUrl),
      // Addresses of the sign-in pages contain codes.
      'referrer-policy': 'no-referrer',
    };
    if (page === undefined) return { status: 503, headers, body: notBuiltPage.text };
    const config = {
      base,
      publishableClientKey: publishableClientKey ?? null,
      mode: settings.mode,
      isUnclaimed,
      sharedProviders: usableSharedProviders(settings),
    };
    const text = page
      .replaceAll('"./', `"${base}`)
      .replaceAll('__CSP_NONCE__', nonce)
      .replace('__CONFIG__', () => escapeHtml(JSON.stringify(config)));
    return { status: 200, headers, body: text };
  }

  /** An owner stays one, so the database is asked only until there is one. */
  async function hasNoOwner(): Promise<boolean> {
    isOwned ||= (await selectInstallation(db)).ownerUserId !== null;
    return !isOwned;
  }

  /** The publishable client key of `internal`, which is public. */
  async function loadPublishableKey(): Promise<string | undefined> {
    const { internal, dataDir } = settings;
    return internal.publishableClientKey ?? (await readKeyFile(dataDir))?.projects.internal?.publishableClientKey;
  }
}

const foreignNameText = (publicUrl: string) =>
  `This installation has no owner yet. Open ${publicUrl}/dashboard, or set TESSERA_PUBLIC_URL to the address of this page.`;

const notBuiltPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>The dashboard is not built · Tessera</title>
</head>
<body>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the repository, then load this page again.</p>
</body>
</html>
`;
