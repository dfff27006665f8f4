import type { Context } from '../../../app/context.ts';
import { callbackUrl as callbackUrlFor } from '../../../navigation/callback-url.ts';
import { pageOf } from '../../../navigation/page-of.ts';
import { cookieText } from '../../../session/stores/cookies.ts';

/** Where the verifier waits for the way back. */
export const outerCookiePrefix = 'stack-oauth-outer-';
const outerCookieLifeSeconds = 60 * 60;

/** What the way to a provider is for. */
export type Purpose =
  | {
      readonly type: 'authenticate';
      /** Access token of an anonymous user. A sign-up turns that user into the new account. */
      readonly token?: string;
    }
  | {
      readonly type: 'link';
      /** The user's access token. */
      readonly token: string;
      /** Separated by blanks. */
      readonly scope: string;
      /** Where to be afterwards. */
      readonly afterwards: string;
    };

/** Leaves the page for a provider. Never resolves. */
export async function leaveForProvider(ctx: Context<'client'>, provider: string, purpose: Purpose): Promise<never> {
  const { config, platform } = ctx;
  const page = pageOf(ctx, 'OAuth');
  if (config.publishableClientKey === undefined) throw new Error('An app with projectOwnerSession cannot sign in.');

  const [state, verifier] = [randomBase64Url(), randomBase64Url()];
  const isSecure = page.href().startsWith('https:');
  page.cookies.write(
    cookieText(outerCookiePrefix + state, verifier, { maxAgeSeconds: outerCookieLifeSeconds, isSecure }),
  );

  const url = new URL(`${config.apiUrl}/auth/oauth/authorize/${encodeURIComponent(provider.toLowerCase())}`);
  const parameters = {
    client_id: config.projectId,
    client_secret: config.publishableClientKey,
    redirect_uri: oauthCallbackUrl(ctx, platform.warn),
    scope: 'legacy',
    state,
    grant_type: 'authorization_code',
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    response_type: 'code',
    type: purpose.type,
    ...(purpose.token !== undefined && { token: purpose.token }),
    error_redirect_url: errorUrl(ctx, provider),
    ...(purpose.type === 'link' && {
      after_callback_redirect_url: purpose.afterwards,
      ...(purpose.scope !== '' && { provider_scope: purpose.scope }),
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  page.assign(url.href);
  return new Promise(() => {});
}

/**
 * The error page, which names the provider. The server fills in how the account with the same address signs in, and the id
 * of the failed request.
 */
function errorUrl(ctx: Context<'client'>, provider: string): string {
  const url = new URL(callbackUrlFor(ctx, 'error', 'urls.error'));
  url.searchParams.set('provider', provider.toLowerCase());
  url.searchParams.set('account_methods', '');
  url.searchParams.set('trace_id', '');
  return url.href;
}

/** The same on both ways: the server compares it. */
export function oauthCallbackUrl(ctx: Context<'client'>, warn: (message: string) => void): string {
  const url = new URL(callbackUrlFor(ctx, 'oauthCallback', 'urls.oauthCallback'));
  for (const name of ['code', 'state']) {
    if (!url.searchParams.has(name)) continue;
    warn(`urls.oauthCallback must not have a parameter "${name}": the answer of the provider comes in it.`);
    url.searchParams.delete(name);
  }
  return url.href;
}

/** 256 random bits as 43 characters, as RFC 7636 asks for. */
function randomBase64Url(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** RFC 7636 section 4.2, S256 */
async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}
