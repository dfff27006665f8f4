export {
  assertClientMay,
  assertMember,
  failNoTeam,
  holdClientMay,
  holdMember,
  type Need,
  normalizeTeamId,
  requireSignedIn,
  type TeamCaller,
} from './access.ts';
export { createTeamOnSignUp } from './creation.ts';
export { addMember } from './memberships/changes.ts';
export { applyGrants } from './roles/changes.ts';
export { isAssignable, rolesOf } from './roles/rules.ts';
export { selectTeamsWithoutSuccessor } from './roles/successors.ts';
export { lockTeam, selectTeam, type Team } from './store.ts';
