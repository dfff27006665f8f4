import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, millis, noQuery, success, userIdOrMe } from '../../fields/fields.ts';
import { userAccessRecentSignInMs } from '../../limits.ts';

const request = z.strictObject({ scope: z.string().max(4000).optional() });
const answer = z.strictObject({ access_token: z.string() });
const providerId = z.string().min(1);

/** docs/contract/users.md#connected-accounts and docs/contract/oauth.md#connected-accounts */
export const connectedAccountEndpoints = {
  accessToken: endpoint({
    method: 'POST',
    path: '/connected-accounts/{user_id}/{provider_id}/access-token',
    access: 'client',
    // The token acts for the user at the provider, also after the session of the person has ended.
    recentSignInWithinMs: userAccessRecentSignInMs,
    ignoresIdempotencyKey: true,
    params: z.strictObject({ user_id: userIdOrMe, provider_id: providerId }),
    query: noQuery,
    body: request,
    response: answer,
    status: 201,
    summary: 'Get an access token of a connected account at its provider',
    tag: 'Users',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
      'USER_NOT_FOUND',
      'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
      'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
    ],
  }),
  ownAccessToken: endpoint({
    method: 'POST',
    path: '/auth/oauth/connected-accounts/{provider_id}/access-token',
    access: 'client',
    recentSignInWithinMs: userAccessRecentSignInMs,
    ignoresIdempotencyKey: true,
    params: z.strictObject({ provider_id: providerId }),
    query: noQuery,
    body: request,
    response: answer,
    status: 201,
    summary: 'Get an access token of a connected account of the signed-in user (older path)',
    tag: 'Users',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
      'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
      'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
    ],
  }),
};

const ownAccount = z.strictObject({
  provider_id: providerId,
  name: z.string().nullable().meta({ description: 'The name of the account at its provider.' }),
  email: z.string().nullable(),
  connected_at_millis: millis,
});

/** Extensions: the provider accounts of the signed-in user (docs/contract/decisions.md#account-safety). */
export const ownAccountEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/extensions/connected-accounts',
    access: 'client',
    user: 'required',
    response: listOf(ownAccount),
    summary: 'List the provider accounts of the signed-in user, oldest first',
    tag: 'extension',
    errors: [],
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/extensions/connected-accounts/{provider_id}',
    access: 'client',
    user: 'required',
    params: z.strictObject({ provider_id: providerId }),
    response: success,
    recordsItsChange: true,
    summary: 'Disconnect a provider from the signed-in user, unless it is the last sign-in method',
    tag: 'extension',
    errors: ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'LAST_SIGN_IN_METHOD', 'REAUTHENTICATION_REQUIRED'],
  }),
};
