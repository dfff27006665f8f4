export { createProject } from './creation.ts';
export {
  grantProjectDefaults,
  grantTeamDefaults,
  memberPermissions,
  membersWithPermission,
  type PermissionDeps,
} from './defaults.ts';
export type { PermissionDefinitions } from './definitions/definitions.ts';
export { assertGrantable } from './rules.ts';
export { holdDefinitions } from './store.ts';
export {
  changeTeamGrants,
  readTeamGrants,
  readTeamPermissions,
  type TeamGrants,
  type TeamPermissions,
} from './team-grants.ts';
