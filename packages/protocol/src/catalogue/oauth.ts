import type { Family } from './row.ts';

/** docs/contract/errors.md#oauth-errors. */
export const oauth = {
  OAUTH_CONNECTION_NOT_CONNECTED_TO_USER: { status: 400 },
  OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER: { status: 409 },
  OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE: { status: 400 },
  OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS: { status: 400 },
  OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS: { status: 400 },
  INVALID_OAUTH_CLIENT_ID_OR_SECRET: { status: 400, args: ['client_id: string|null'] },
  INVALID_SCOPE: { status: 400, args: 'message' },
  USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION: { status: 409 },
  OUTER_OAUTH_TIMEOUT: { status: 408 },
  OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED: { status: 400 },
  INVALID_SHARED_OAUTH_PROVIDER_ID: { status: 400, args: ['provider_id: string'] },
  INVALID_STANDARD_OAUTH_PROVIDER_ID: { status: 400, args: ['provider_id: string'] },
  INVALID_AUTHORIZATION_CODE: { status: 400 },
  OAUTH_PROVIDER_ACCESS_DENIED: { status: 400 },
} as const satisfies Family;
