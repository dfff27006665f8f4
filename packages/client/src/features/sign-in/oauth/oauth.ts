import { isKnownError } from '@tessera/protocol/error-code';
import type { ProviderName } from '../../../app/config/register.ts';
import type { Context } from '../../../app/context.ts';
import { isOneOf } from '../../../errors/known-errors.ts';
import { pageOf } from '../../../navigation/page-of.ts';
import type { Page } from '../../../platform/platform.ts';
import { cookieText, parseCookies } from '../../../session/stores/cookies.ts';
import { jsonOf } from '../../../transport/answer.ts';
import { knownErrorOf, outcomeOf } from '../../../transport/failed-response.ts';
import { fetchMode } from '../../../transport/fetch-mode.ts';
import { isNetworkFailure, networkError } from '../../../transport/network-error.ts';
import { landingOf, signInWithTokens } from '../finish.ts';
import { leaveSignIn } from '../leave.ts';
import { orSecondFactor } from '../second-factor/second-factor.ts';
import { leaveForProvider, oauthCallbackUrl, outerCookiePrefix } from './oauth-start.ts';

/** Signing in with an account at a provider. */
export interface OAuthMethods {
  /**
   * Leaves the page for the provider, e.g. `github`. Its way back ends at `urls.oauthCallback`, or, when something was
   * refused, at `urls.error`.
   *
   * @returns a promise that never resolves, because the page goes away.
   * @throws outside a browser.
   */
  signInWithOAuth(provider: ProviderName): Promise<void>;

  /**
   * Ends a sign-in or a connecting at a provider: called once by the page at `urls.oauthCallback`. Goes on to the page
   * that was asked for, to `urls.afterSignUp` for a new account, else to `urls.afterSignIn`. A user with a second
   * factor is sent to `urls.mfa`.
   *
   * @returns whether it went on. False where the address of the page holds no answer of a provider that this browser
   *   has requested, e.g. when the page is loaded again.
   * @throws outside a browser; the known error of a refused sign-in, e.g. an expired code; for any other failure an error
   *   whose `cause` is the reason, e.g. a `RequestError`.
   */
  callOAuthCallback(): Promise<boolean>;
}

/** What came back from a provider, and belongs to what was asked. */
interface Returned {
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

  /** Access tokens do not belong into addresses, so only that of an anonymous user is sent: it becomes the account. */
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

  async function exchange({ code, verifier }: Returned): Promise<SignedIn> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: oauthCallbackUrl(ctx, () => {}),
      code_verifier: verifier,
      client_id: config.projectId,
      client_secret: config.publishableClientKey ?? '',
    });
    const request = { ...fetchMode(), method: 'POST', body: form };
    const response = await platform.fetch(`${config.apiUrl}/auth/oauth/token`, request).catch(async failure => {
      throw isNetworkFailure(failure) ? await networkError([failure], config, platform) : failure;
    });
    const known = await knownErrorOf(response);
    if (known) throw known;
    const outcome = await outcomeOf(response, platform.now(), { isRepeatable: false });
    if (!('done' in outcome)) throw outcome.failure;
    return jsonOf(outcome.done);
  }

  /** This page has not read the project. */
  async function readCoolingOff(): Promise<boolean> {
    const { deletion_cooling_off_days: days } = await ctx.call('GET /projects/current', { session: null });
    return days !== undefined;
  }

  async function goOn(signedIn: SignedIn, hasCoolingOff: boolean): Promise<void> {
    const { after_callback_redirect_url: asked } = signedIn;
    await leaveSignIn(ctx, { page: landingOf(signedIn), asked, hasCoolingOff, replace: true });
  }

  return {
    async signInWithOAuth(provider) {
      // Checked first: only a browser can leave for a provider.
      pageOf(ctx, 'signInWithOAuth');
      return leaveForProvider(ctx, provider, { type: 'authenticate', ...(await anonymousToken()) });
    },
    async callOAuthCallback() {
      // Up to the first await nothing else runs, so of two calls only one finds the cookie.
      const returned = takeReturned(pageOf(ctx, 'callOAuthCallback'));
      if (returned === null) {
        platform.warn('The address of this page holds no OAuth response for a request of this browser.');
        return false;
      }
      try {
        // At the same time, so that it costs no round trip. The notice is not worth a failed sign-in.
        const coolingOff = readCoolingOff().catch(() => false);
        const signedIn = await orSecondFactor(ctx, exchange(returned));
        await signInWithTokens(ctx, signedIn);
        await goOn(signedIn, await coolingOff);
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

/** Takes what came back out of the page: the parameters out of its address, the verifier out of its cookie. */
function takeReturned(page: Page): Returned | null {
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
