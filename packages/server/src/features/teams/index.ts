export { assertClientMay, assertMember, failNoTeam, type Need, type TeamCaller, teamIdOf } from './access.ts';
export { createTeamOnSignUp } from './creation.ts';
export { addMember } from './memberships/changes.ts';
export { holdTeam, selectTeam, type Team } from './store.ts';
