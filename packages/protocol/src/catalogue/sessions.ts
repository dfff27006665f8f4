import type { Family } from './row.ts';

/** docs/contract/errors.md#session-errors. */
export const sessions = {
  SESSION_AUTHENTICATION_ERROR: {},
  INVALID_SESSION_AUTHENTICATION: { parent: 'SESSION_AUTHENTICATION_ERROR' },
  INVALID_ACCESS_TOKEN: { parent: 'INVALID_SESSION_AUTHENTICATION' },
  UNPARSABLE_ACCESS_TOKEN: { status: 401, parent: 'INVALID_ACCESS_TOKEN' },
  ACCESS_TOKEN_EXPIRED: { status: 401, parent: 'INVALID_ACCESS_TOKEN', args: ['expired_at_millis: millis|null'] },
  INVALID_PROJECT_FOR_ACCESS_TOKEN: {
    status: 401,
    parent: 'INVALID_ACCESS_TOKEN',
    args: ['expected_project_id: string', 'actual_project_id: string'],
  },

  REFRESH_TOKEN_ERROR: {},
  REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED: { status: 401, parent: 'REFRESH_TOKEN_ERROR' },
  CANNOT_DELETE_CURRENT_SESSION: { status: 400, parent: 'REFRESH_TOKEN_ERROR' },
  PROVIDER_REJECTED: { status: 401, parent: 'REFRESH_TOKEN_ERROR' },
} as const satisfies Family;
