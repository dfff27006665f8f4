import type { Family } from './row.ts';

/** docs/contract/errors.md#permission-and-team-errors. */
export const permissionsAndTeams = {
  PERMISSION_NOT_FOUND: { status: 404, args: ['permission_id: string'] },
  WRONG_PERMISSION_SCOPE: {
    status: 404,
    name: 'PermissionScopeMismatch',
    args: ['permission_id: string', 'expected_scope: scope', 'actual_scope: scope|null'],
  },
  CONTAINED_PERMISSION_NOT_FOUND: { status: 400, args: ['permission_id: string'] },
  PERMISSION_ID_ALREADY_EXISTS: { status: 400, args: ['permission_id: string'] },
  PROJECT_PERMISSION_REQUIRED: { status: 401, args: ['user_id: string', 'permission_id: string'] },
  TEAM_PERMISSION_REQUIRED: { status: 401, args: ['team_id: string', 'user_id: string', 'permission_id: string'] },
  TEAM_PERMISSION_NOT_FOUND: { status: 401, args: ['team_id: string', 'user_id: string', 'permission_id: string'] },
  TEAM_NOT_FOUND: { status: 404, args: ['team_id: string'] },
  TEAM_ALREADY_EXISTS: { status: 409, args: ['team_id: string'] },
  TEAM_MEMBERSHIP_NOT_FOUND: { status: 404, args: ['team_id: string', 'user_id: string'] },
  TEAM_MEMBERSHIP_ALREADY_EXISTS: { status: 409 },
} as const satisfies Family;
