import type { Context } from '../../context.ts';
import { signInWithTokens } from './finish.ts';

/** Opens an account for somebody who has not said who they are, in the app's own token store. */
export async function signUpAnonymously(ctx: Context<'client'>): Promise<void> {
  await signInWithTokens(ctx, await ctx.call('POST /auth/anonymous/sign-up', { session: null }));
}
