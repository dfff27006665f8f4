import { connectedAccountEndpoints, fail } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { holdCaller, selectUser } from '../../accounts/users/index.ts';
import { assertKeyUsable, type Projects } from '../../projects/index.ts';
import { configuredProvider } from '../providers/clients.ts';
import { scopesOf } from '../rules.ts';
import { type ProviderAccessTokenDeps, providerAccessToken } from './access-token.ts';
import { type OwnAccountDeps, ownAccountRoutes } from './own-accounts.ts';
import { assertConnected, assertOwnKeys } from './rules.ts';

type ConnectedAccountRoutesDeps = ProviderAccessTokenDeps &
  OwnAccountDeps & {
    readonly db: Database;
    readonly projects: Projects;
  };

type TokenCall =
  | Call<typeof connectedAccountEndpoints.accessToken>
  | Call<typeof connectedAccountEndpoints.ownAccessToken>;

/** docs/contract/oauth.md#connected-accounts */
export function connectedAccountRoutes(deps: ConnectedAccountRoutesDeps): BoundRoute[] {
  return [
    bind(connectedAccountEndpoints.accessToken, call => respond(call, call.targetUserId)),
    bind(connectedAccountEndpoints.ownAccessToken, call => respond(call, call.user?.id)),
    ...ownAccountRoutes(deps),
  ];

  async function respond(call: TokenCall, userId: string | undefined): Promise<{ access_token: string }> {
    const { params, level, project, user, impersonation, body } = call;
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
    const accessToken = await providerAccessToken(project.id, { userId, provider, scopes }, deps);
    // The access of the caller may have ended while the provider answered.
    await assertKeyUsable(call, deps.projects);
    await transaction(deps.db, tx => holdCaller(tx, call, deps));
    return { access_token: accessToken };
  }
}
