import type { Family } from './row.ts';

/** docs/contract/errors.md#general-errors. */
export const general = {
  UNSUPPORTED_ERROR: { status: 500, args: ['originalErrorCode: string'] },
  BODY_PARSING_ERROR: { status: 400, args: 'message' },
  SCHEMA_ERROR: { status: 400, args: ['message: string'] },
  ALL_OVERLOADS_FAILED: { status: 400, args: ['overload_errors: Json[]'] },
} as const satisfies Family;
