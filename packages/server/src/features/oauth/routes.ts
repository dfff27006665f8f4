import { oauthEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { OpenAccount } from '../sign-in/index.ts';
import { type AuthorizeDeps, authorize } from './authorize/authorize.ts';
import { type CallbackDeps, callback } from './callback/callback.ts';
import { providerTestRoutes } from './provider-tests/routes.ts';
import { codeGrant, refreshGrant, type TokenDeps } from './token/token.ts';

type OauthRoutesDeps = AuthorizeDeps & CallbackDeps & TokenDeps;

/** Sign-in with OAuth providers, and the token endpoint (docs/contract/oauth.md). */
export function oauthRoutes(deps: OauthRoutesDeps, openAccount: OpenAccount): BoundRoute[] {
  const context = { openAccount, deps };
  return [
    bind(oauthEndpoints.authorize, call => authorize(call, deps)),
    bind(oauthEndpoints.callback, call => callback(call, deps)),
    bind(oauthEndpoints.callbackByForm, call => callback(call, deps)),
    bind(oauthEndpoints.token, call =>
      call.body.grant_type === 'refresh_token' ? refreshGrant(call, deps) : codeGrant(call, context),
    ),
    ...providerTestRoutes(deps),
  ];
}
