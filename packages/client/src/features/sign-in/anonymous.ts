import type { Context } from '../../app/context.ts';
import type { TokenStore } from '../../session/stores/store.ts';
import { signInWithTokens } from './finish.ts';

/** By store: the app of a server has the stores of many visitors, who must not share an account. */
const running = new WeakMap<TokenStore, Promise<void>>();

/** Creates an anonymous user and stores its tokens. Concurrent calls with one store create one account. */
export function signUpAnonymously(ctx: Context<'client'>, store: TokenStore): Promise<void> {
  const signingUp = running.get(store) ?? signUp(ctx, store).finally(() => running.delete(store));
  running.set(store, signingUp);
  return signingUp;
}

async function signUp(ctx: Context<'client'>, store: TokenStore): Promise<void> {
  await signInWithTokens(ctx, await ctx.call('POST /auth/anonymous/sign-up', { session: null }), store);
}
