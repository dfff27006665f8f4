import { type AccessLevel, connectedAccountEndpoints, fail } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { type CallUser, selectUser } from '../../accounts/users/index.ts';
import type { Project } from '../../projects/index.ts';
import { configuredProvider, scopesOf } from '../index.ts';
import { providerAccessToken } from './access-token.ts';
import { assertConnected, assertOwnKeys } from './rules.ts';

interface TokenCall {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly user: CallUser | null;
  readonly body: { readonly scope?: string | undefined };
}

/** docs/contract/oauth.md#connected-accounts */
export function connectedAccountRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(connectedAccountEndpoints.accessToken, call => respond(call.params, call)),
    bind(connectedAccountEndpoints.ownAccessToken, call => respond({ ...call.params, user_id: 'me' }, call)),
  ];

  async function respond(
    params: { readonly user_id: string; readonly provider_id: string },
    { level, project, user, body }: TokenCall,
  ): Promise<{ access_token: string }> {
    const userId = params.user_id === 'me' ? user?.id : params.user_id.toLowerCase();
    if (userId === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
    if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only use their own connected accounts.');
    const provider = configuredProvider(params.provider_id, project.config);
    assertOwnKeys(provider);
    const owner = user?.id === userId ? user : await selectUser(deps.db, project.id, userId);
    if (owner === null) fail('USER_NOT_FOUND');
    assertConnected(provider, owner.oauthAccounts);
    const scopes = scopesOf(body.scope);
    return { access_token: await providerAccessToken(project.id, { userId, provider, scopes }, deps) };
  }
}
