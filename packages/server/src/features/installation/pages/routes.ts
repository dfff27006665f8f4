import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { Connection } from '../../../app.ts';
import type { Deps } from '../../../deps.ts';
import { commonHeaders, htmlType } from '../../../http/respond.ts';
import { readKeyFile } from '../../../platform/crypto/key-file.ts';
import type { Html } from '../../../platform/html.ts';
import { cliLoginPage, firstOwnerPage, noDashboardPage } from './markup.ts';
import { script } from './script.ts';

const policy = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The pages behind links of this server, for an installation without a dashboard. */
export function ownerPages({ settings }: Deps): Hono<{ Bindings: Connection }> {
  const pages = new Hono<{ Bindings: Connection }>();
  const headers = {
    ...commonHeaders(settings.publicUrl.startsWith('https:')),
    'content-type': htmlType,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  };
  const answer = (markup: Html, status = 200) => new Response(markup.text, { status, headers });

  pages.get('/dashboard/first-owner', async () => answer(firstOwnerPage(await loadPublishableKey())));
  pages.get('/dashboard/handler/cli-auth-confirm', async () => answer(cliLoginPage(await loadPublishableKey())));
  pages.get('/dashboard', () => answer(noDashboardPage(settings.publicUrl)));
  pages.get('/dashboard/*', () => answer(noDashboardPage(settings.publicUrl)));
  return pages;

  /** The publishable client key of `internal`, which is public. */
  async function loadPublishableKey(): Promise<string | undefined> {
    const { internal, dataDir } = settings;
    return internal.publishableClientKey ?? (await readKeyFile(dataDir))?.projects.internal?.publishableClientKey;
  }
}
