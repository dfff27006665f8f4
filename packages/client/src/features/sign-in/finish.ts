import type { Context } from '../../app/context.ts';
import { defect } from '../../errors/defect.ts';
import { forgetRedirects } from '../../navigation/redirect-loop.ts';
import { countOwnSignIn } from '../../session/own-sign-ins.ts';
import type { TokenStore } from '../../session/stores/store.ts';
import { leaveSignIn } from './leave.ts';

/** What every sign-in call answers. */
interface SignedIn {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Landing {
  readonly page: 'afterSignIn' | 'afterSignUp';
  readonly noRedirect: boolean | undefined;
}

/** Makes the tokens of a sign-in the session of a store, by default of the app's own. */
export async function signInWithTokens(
  ctx: Context<'client'>,
  { access_token, refresh_token }: SignedIn,
  store?: TokenStore,
): Promise<void> {
  if (!access_token || !refresh_token) throw defect('The answer to a sign-in lacks a token.');
  const target = store ?? (await ctx.sessions.open());
  // Before `set`, which notifies listeners that read the count.
  countOwnSignIn(ctx.config.projectId);
  target.set({ accessToken: access_token, refreshToken: refresh_token });
}

/**
 * Makes the tokens of a sign-in that the visitor completed on this page the app's session, then goes to the page for those
 * who have signed in.
 */
export async function finishSignIn(
  ctx: Context<'client'>,
  signedIn: SignedIn,
  { page, noRedirect = false }: Landing,
): Promise<undefined> {
  await signInWithTokens(ctx, signedIn);
  if (ctx.platform.page) forgetRedirects(ctx.platform.page);
  if (!noRedirect) await leaveSignIn(ctx, { page, replace: true });
}

/** The page that follows a sign-in: another one for a new account. */
export function landingOf({ is_new_user }: { readonly is_new_user: boolean }): Landing['page'] {
  return is_new_user ? 'afterSignUp' : 'afterSignIn';
}
