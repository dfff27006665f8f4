import { connectedAccountEndpoints, fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { selectUser } from '../users/index.ts';
import { assertConnected } from './rules.ts';

export function connectedAccountRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(connectedAccountEndpoints.accessToken, async ({ params, level, project, user }) => {
      const userId = params.user_id === 'me' ? user?.id : params.user_id.toLowerCase();
      if (userId === undefined || (level === 'client' && user === null)) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only use their own connected accounts.');
      const owner = user?.id === userId ? user : await selectUser(deps.db, project.id, userId);
      if (owner === null) fail('USER_NOT_FOUND');
      assertConnected(params.provider_id, { config: project.config, accounts: owner.oauthAccounts });
      // Accounts that servers attach bring no tokens, and nobody has signed in with a provider yet.
      return fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
    }),
  ];
}
