import type { Family } from './row.ts';

/**
 * The extension catalogue: refusals that the contract does not have (docs/contract/decisions.md#account-safety, #team-roles,
 * docs/contract/api-keys.md#scopes, docs/contract/sign-in-methods.md#sign-up-restrictions and
 * docs/contract/user-administration.md#suspended-users).
 */
export const accountSafety = {
  REAUTHENTICATION_REQUIRED: { status: 403 },
  SECOND_FACTOR_NOT_ENABLED: { status: 400 },
  INVALID_RECOVERY_CODE: { status: 400 },
  LAST_TEAM_ADMIN: { status: 409, args: ['team_id: string', 'user_id: string'] },
  TEAM_ROLE_NOT_ASSIGNABLE: { status: 403, args: ['team_id: string', 'permission_id: string'] },
  LAST_SIGN_IN_METHOD: { status: 409 },
  EMAIL_ADDRESS_NOT_ALLOWED: { status: 403 },
  API_KEY_SCOPE_MISSING: { status: 403, args: ['missing_scopes: string[]'] },
  USER_SUSPENDED: { status: 403 },
  PROJECT_ROLE_INSUFFICIENT: { status: 403, args: ['actual_role: string', 'required_role: string'] },
} as const satisfies Family;
