import { oauthEndpoints } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { CreateUser, OnUserCreated } from '../accounts/users/index.ts';
import { createAccountOpening } from '../sign-in/index.ts';
import { authorize } from './authorize/authorize.ts';
import { callback } from './callback/callback.ts';
import { codeGrant, refreshGrant } from './token/token.ts';

/** Sign-in with OAuth providers, and the token endpoint (docs/contract/oauth.md). */
export function oauthRoutes(
  deps: Deps,
  { createUser, onUserUpgraded }: { createUser: CreateUser; onUserUpgraded: readonly OnUserCreated[] },
): BoundRoute[] {
  const context = { openAccount: createAccountOpening(createUser, onUserUpgraded, deps), deps };
  return [
    bind(oauthEndpoints.authorize, call => authorize(call, deps)),
    bind(oauthEndpoints.callback, call => callback(call, deps)),
    bind(oauthEndpoints.callbackByForm, call => callback(call, deps)),
    bind(oauthEndpoints.token, call =>
      call.body.grant_type === 'refresh_token' ? refreshGrant(call, deps) : codeGrant(call, context),
    ),
  ];
}
