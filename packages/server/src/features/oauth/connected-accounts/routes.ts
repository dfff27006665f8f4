import { connectedAccountEndpoints, fail } from '@tessera/protocol';
import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../core/project.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import { selectUser } from '../../accounts/users/index.ts';
import { configuredProvider, scopesOf } from '../index.ts';
import { type ProviderAccessTokenDeps, providerAccessToken } from './access-token.ts';
import { type OwnAccountDeps, ownAccountRoutes } from './own-accounts.ts';
import { assertConnected, assertOwnKeys } from './rules.ts';

type ConnectedAccountRoutesDeps = ProviderAccessTokenDeps &
  OwnAccountDeps & {
    readonly db: Database;
  };

interface TokenCall extends Pick<Caller, 'level' | 'user' | 'impersonation'> {
  readonly params: { readonly provider_id: string };
  readonly project: Project;
  readonly body: { readonly scope?: string | undefined };
}

/** docs/contract/oauth.md#connected-accounts */
export function connectedAccountRoutes(deps: ConnectedAccountRoutesDeps): BoundRoute[] {
  return [
    bind(connectedAccountEndpoints.accessToken, call => respond(call, call.targetUserId)),
    bind(connectedAccountEndpoints.ownAccessToken, call => respond(call, call.user?.id)),
    ...ownAccountRoutes(deps),
  ];

  async function respond(
    { params, level, project, user, impersonation, body }: TokenCall,
    userId: string | undefined,
  ): Promise<{ access_token: string }> {
    if (userId === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
    if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only use their own connected accounts.');
    if (level === 'client' && impersonation !== undefined) {
      refuse(403, 'An impersonation session cannot get tokens of connected accounts.');
    }
    const provider = configuredProvider(params.provider_id, project.config);
    assertOwnKeys(provider);
    const owner = user?.id === userId ? user : await selectUser(deps.db, project.id, userId);
    if (owner === null) fail('USER_NOT_FOUND');
    assertConnected(provider, owner.oauthAccounts);
    const scopes = scopesOf(body.scope);
    return { access_token: await providerAccessToken(project.id, { userId, provider, scopes }, deps) };
  }
}
