import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { userIdOrMe } from '../fields.ts';

const request = z.strictObject({ scope: z.string().max(4000).optional() });
const answer = z.strictObject({ access_token: z.string() });
const providerId = z.string().min(1).max(100);

/** docs/contract/users.md#connected-accounts and docs/contract/oauth.md#connected-accounts */
export const connectedAccountEndpoints = {
  accessToken: endpoint({
    method: 'POST',
    path: '/connected-accounts/{user_id}/{provider_id}/access-token',
    access: 'client',
    params: z.strictObject({ user_id: userIdOrMe, provider_id: providerId }),
    query: z.strictObject({}),
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
    params: z.strictObject({ provider_id: providerId }),
    query: z.strictObject({}),
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
