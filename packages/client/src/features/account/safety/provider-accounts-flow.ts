import { KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../../app/context.ts';
import { pageOf } from '../../../navigation/page-of.ts';
import type { Session } from '../../../session/session.ts';
import { leaveForProvider } from '../../sign-in/oauth/oauth-start.ts';
import type { ProviderAccountMethods } from './provider-accounts.ts';

export function providerAccountsFlow(ctx: Context<'client'>, session: Session): ProviderAccountMethods {
  return {
    async getProviderAccounts() {
      const { items } = await ctx.call('GET /extensions/connected-accounts', { session });
      return items.map(({ provider_id: providerId, name, email, connected_at_millis }) =>
        Object.freeze({ providerId, name, email, connectedAt: new Date(connected_at_millis) }),
      );
    },
    async connectProvider(providerId, { returnTo } = {}) {
      // The server refuses an old sign-in where the browser would show the refusal as text.
      const { is_required } = await ctx.call('GET /extensions/reauthentication', { session });
      if (is_required) throw new KnownErrors.ReauthenticationRequired();
      const page = pageOf(ctx, 'connectProvider');
      const live = await session.getLikelyValidTokens();
      return leaveForProvider(ctx, providerId, {
        type: 'link',
        token: live?.accessToken ?? '',
        scope: (ctx.config.oauthScopesOnSignIn[providerId] ?? []).join(' '),
        afterwards: returnTo === undefined ? page.href() : new URL(returnTo, page.href()).href,
      });
    },
    async disconnectProvider(providerId) {
      const params = { provider_id: providerId };
      await ctx.call('DELETE /extensions/connected-accounts/{provider_id}', { params, session });
      await ctx.resources.renew('user', session);
    },
  };
}
