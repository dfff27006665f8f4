import type { Context } from '../../context.ts';
import { defect } from '../../defect.ts';

/** What every sign-in call answers. */
interface SignedIn {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Makes the tokens of a sign-in the app's session. */
export function signInWithTokens(ctx: Context<'client'>, { access_token, refresh_token }: SignedIn): void {
  if (!access_token || !refresh_token) throw defect('The answer to a sign-in lacks a token.');
  ctx.sessions.store().set({ accessToken: access_token, refreshToken: refresh_token });
}
