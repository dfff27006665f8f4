import type { Family } from './row.ts';

/** docs/contract/errors.md#cli-and-api-key-errors. */
export const cliAndApiKeys = {
  INVALID_POLLING_CODE: { status: 400, name: 'InvalidPollingCodeError', args: 'json' },
  CLI_AUTH_ERROR: { status: 400, args: 'message' },
  CLI_AUTH_EXPIRED_ERROR: { status: 400, args: 'message' },
  CLI_AUTH_USED_ERROR: { status: 400, args: 'message' },

  API_KEY_NOT_VALID: {},
  API_KEY_EXPIRED: { status: 401, parent: 'API_KEY_NOT_VALID' },
  API_KEY_REVOKED: { status: 401, parent: 'API_KEY_NOT_VALID' },
  WRONG_API_KEY_TYPE: {
    status: 400,
    parent: 'API_KEY_NOT_VALID',
    args: ['expected_type: string', 'actual_type: string'],
  },
  API_KEY_NOT_FOUND: { status: 404, parent: 'API_KEY_NOT_VALID' },
  PUBLIC_API_KEY_CANNOT_BE_REVOKED: { status: 400, parent: 'API_KEY_NOT_VALID' },
} as const satisfies Family;
