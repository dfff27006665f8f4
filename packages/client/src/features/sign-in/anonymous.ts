import type { Context } from '../../app/context.ts';
import { signInWithTokens } from './finish.ts';

/** Creates an anonymous user and stores its tokens in the app's own token store. */
export async function signUpAnonymously(ctx: Context<'client'>): Promise<void> {
  await signInWithTokens(ctx, await ctx.call('POST /auth/anonymous/sign-up', { session: null }));
}
