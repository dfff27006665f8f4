import type { Config } from '../app/config/config.ts';
import type { Page } from '../platform/platform.ts';
import type { HandlerUrls } from './urls.ts';

/**
 * Whether a redirect after a sign-in ends the session, because the browser refuses cookies and the next page load finds
 * none. The next page would send the visitor back to the sign-in page, without an explanation.
 */
export function losesSession(
  target: keyof HandlerUrls,
  { redirectMethod, tokenStore }: Pick<Config, 'redirectMethod' | 'tokenStore'>,
  page: Page,
): boolean {
  const followsSignIn = target === 'afterSignIn' || target === 'afterSignUp';
  const hasCookies = tokenStore === 'cookie' || tokenStore === 'nextjs-cookie';
  return followsSignIn && hasCookies && loadsPage(redirectMethod) && !keepsCookies(page);
}

/** A router keeps the page, and the page holds the tokens. */
function loadsPage(redirectMethod: Config['redirectMethod']): boolean {
  return typeof redirectMethod === 'object' ? redirectMethod.navigate === undefined : redirectMethod !== 'none';
}

/** The address of the error page that asks the visitor to allow cookies. */
export async function cookiesErrorOf(page: Page, errorPage: string): Promise<string> {
  const { loopError } = await import('./redirect-loop.ts');
  return loopError(page, errorPage);
}

/** Tests it with a cookie of its own, written as the tokens are. */
function keepsCookies({ cookies }: Page): boolean {
  const pair = 'stack-cookie-test=1';
  cookies.write(`${pair}; path=/; max-age=60`);
  const isKept = cookies.read().includes(pair);
  cookies.write('stack-cookie-test=; path=/; max-age=0');
  return isKept;
}
