import { isKnownError } from '@tessera/protocol/error-code';
import type { ProviderName } from '../../../app/config/register.ts';
import type { Context } from '../../../app/context.ts';
import { isOneOf } from '../../../errors/known-errors.ts';
import { pageOf } from '../../../navigation/page-of.ts';
import type { Page } from '../../../platform/platform.ts';
import { cookieText, parseCookies } from '../../../session/stores/cookies.ts';
import { isSuccess, jsonOf } from '../../../transport/answer.ts';
import { knownErrorOf, outcomeOf } from '../../../transport/failed-response.ts';
import { fetchMode } from '../../../transport/fetch-mode.ts';
import { isNetworkFailure, networkError } from '../../../transport/network-error.ts';
import { landingOf, signInWithTokens } from '../finish.ts';
import { leaveSignIn } from '../leave.ts';
import { handleSecondFactor } from '../second-factor/second-factor.ts';
import { leaveForProvider, oauthCallbackUrl, outerCookiePrefix } from './oauth-start.ts';

/** More than the longest wait of the server. The browser alone would wait for minutes, and the code expires in one. */
const exchangeTimeoutMs = 30_000;

/** Signing in with an account at a provider. */
export interface OAuthMethods {
  /**
   * Leaves the page for the provider, e.g. `github`. The provider redirects to `urls.oauthCallback`, or after a refusal
   * to `urls.error`.
   *
   * @returns a promise that never resolves, because the page goes away.
   * @throws outside a browser.
   */
  signInWithOAuth(provider: ProviderName): Promise<void>;

  /**
   * Completes a sign-in, or the connection of an account, at a provider. The page at `urls.oauthCallback` calls it once.
   * It redirects to the page that the sign-in began with, to `urls.afterSignUp` for a new account, else to
   * `urls.afterSignIn`. A user with a second factor is redirected to `urls.mfa`.
   *
   * @returns whether it redirected. False when the address of the page has no response to a request of this browser, e.g.
   *   when the page is loaded again.
   * @throws outside a browser; the known error of a refused sign-in, e.g. an expired code; for any other failure an error
   *   whose `cause` is the reason, e.g. a `RequestError` when no response has arrived after 30 seconds.
   */
  callOAuthCallback(): Promise<boolean>;
}

/** The response of a provider to a request of this browser. */
interface OAuthResponse {
  readonly code: string;
  readonly verifier: string;
}

interface SignedIn {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly is_new_user: boolean;
  readonly after_callback_redirect_url?: string | null;
}

export function oauthFlow(ctx: Context<'client'>): OAuthMethods {
  const { config, platform } = ctx;

  /** Logs keep addresses, so only the access token of an anonymous user is sent in one: the sign-in keeps the account. */
  async function anonymousToken(): Promise<{ token?: string }> {
    const session = await ctx.sessions.of();
    const live = await session.getLikelyValidTokens();
    if (live === null) return {};
    try {
      const user = await ctx.call('GET /users/me', { session });
      return user.is_anonymous ? { token: live.accessToken } : {};
    } catch (error) {
      if (await isOneOf(error, ['CANNOT_GET_OWN_USER_WITHOUT_USER'])) return {};
      throw error;
    }
  }

  async function exchange({ code, verifier }: OAuthResponse): Promise<SignedIn> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: oauthCallbackUrl(ctx, () => {}),
      code_verifier: verifier,
      client_id: config.projectId,
      client_secret: config.publishableClientKey ?? '',
    });
    const signal = AbortSignal.timeout(exchangeTimeoutMs);
    const request = { ...fetchMode(), method: 'POST', body: form, signal };
    try {
      const response = await platform.fetch(`${config.apiUrl}/auth/oauth/token`, request);
      if (isSuccess(response)) return await jsonOf(response);
      const known = await knownErrorOf(response);
      throw known ?? (await outcomeOf(response, platform.now(), { isRepeatable: false })).failure;
    } catch (failure) {
      throw isNetworkFailure(failure) ? await networkError([failure], config, platform) : failure;
    }
  }

  /** This page has not read the project. */
  async function readCoolingOff(): Promise<boolean> {
    const { deletion_cooling_off_days: days } = await ctx.call('GET /projects/current', { session: null });
    return days !== undefined;
  }

  return {
    async signInWithOAuth(provider) {
      // Checked first: only a browser can leave for a provider.
      pageOf(ctx, 'signInWithOAuth');
      return leaveForProvider(ctx, provider, { type: 'authenticate', ...(await anonymousToken()) });
    },
    async callOAuthCallback() {
      // Up to the first await nothing else runs, so of two calls only one finds the cookie.
      const response = takeOAuthResponse(pageOf(ctx, 'callOAuthCallback'));
      if (response === null) {
        platform.warn('The address of this page holds no OAuth response for a request of this browser.');
        return false;
      }
      try {
        // At the same time, so that it costs no round trip. The notice is not worth a failed sign-in.
        const coolingOff = readCoolingOff().catch(() => false);
        const signedIn = await handleSecondFactor(ctx, exchange(response));
        await signInWithTokens(ctx, signedIn);
        const { after_callback_redirect_url: returnUrl } = signedIn;
        const hasCoolingOff = await coolingOff;
        await leaveSignIn(ctx, { page: landingOf(signedIn), returnUrl, hasCoolingOff, replace: true });
        return true;
      } catch (cause) {
        if (!(await isOneOf(cause, ['INVALID_TOTP_CODE']))) {
          if (isKnownError(cause)) throw cause;
          throw new Error('Error signing in during OAuth callback. Please try again.', { cause });
        }
        platform.page?.alert('Invalid TOTP code. Please try signing in again.');
        return false;
      }
    },
  };
}

/** Reads the response of the provider and removes it: the parameters from the address, the verifier from its cookie. */
function takeOAuthResponse(page: Page): OAuthResponse | null {
  const url = new URL(page.href());
  const { searchParams } = url;
  const [code, state] = [searchParams.get('code'), searchParams.get('state')];
  if (!code || !state) return null;
  const name = outerCookiePrefix + state;
  const verifier = parseCookies(page.cookies.read()).get(name)?.at(-1);
  if (!verifier) return null;
  page.cookies.write(cookieText(name, null, { isSecure: url.protocol === 'https:' }));
  for (const parameter of ['code', 'state']) searchParams.delete(parameter);
  page.showAddress(url.href);
  return { code, verifier };
}
