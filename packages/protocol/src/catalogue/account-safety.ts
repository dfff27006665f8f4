import type { Family } from './row.ts';

/** The extension catalogue (docs/contract/decisions.md#account-safety): refusals that the contract does not have. */
export const accountSafety = {
  REAUTHENTICATION_REQUIRED: { status: 403 },
  SECOND_FACTOR_NOT_ENABLED: { status: 400 },
  INVALID_RECOVERY_CODE: { status: 400 },
} as const satisfies Family;
