export { assertClientMay, assertMember, failNoTeam, type Need, normalizeTeamId, type TeamCaller } from './access.ts';
export { createTeamOnSignUp } from './creation.ts';
export { addMember } from './memberships/changes.ts';
export { lockTeam, selectTeam, type Team } from './store.ts';
