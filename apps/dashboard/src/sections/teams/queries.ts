import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { openPagePollMs } from '../../data/query-client.ts';
import { usersKey } from '../users/queries.ts';
import type { TeamSearch } from './search.ts';

/** The key of everything about the teams of a project. */
export const teamsKey = (project: OwnedProject) => ['project', project.id, 'teams'] as const;

/** Reads teams and users again: the page of a user shows the teams and the permissions in them. */
export async function renewTeams(cache: QueryClient, project: OwnedProject): Promise<void> {
  const keys = [teamsKey(project), usersKey(project)];
  await Promise.all(keys.map(queryKey => cache.invalidateQueries({ queryKey })));
}

/** A team of the project. */
export type Team = Awaited<ReturnType<OwnedProject['app']['listTeams']>>[number];

/** A user in a team. */
export type Member = Awaited<ReturnType<Team['listUsers']>>[number];

const pageSize = 100;

/** Pages of the team list, by keyset cursor. */
export function teamPagesQuery(project: OwnedProject, { q, order }: TeamSearch) {
  const options = { ...(q !== undefined && { query: q }), ...(order !== undefined && { order }), limit: pageSize };
  return infiniteQueryOptions({
    queryKey: [...teamsKey(project), 'list', options],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => project.app.findTeams({ ...options, ...(pageParam && { cursor: pageParam }) }),
    getNextPageParam: page => page.nextCursor ?? undefined,
  });
}

const choiceCount = 8;

/** The first teams that a text finds, by name, to choose one. */
export function teamChoicesQuery(project: OwnedProject, text: string) {
  return queryOptions({
    queryKey: [...teamsKey(project), 'choices', text],
    queryFn: () => project.app.findTeams({ query: text, order: 'name', limit: choiceCount }),
  });
}

/** One team; null when there is none. */
export function teamQuery(project: OwnedProject, teamId: string) {
  return queryOptions({ queryKey: [...teamsKey(project), 'one', teamId], queryFn: () => project.app.getTeam(teamId) });
}

const partKey = (project: OwnedProject, team: Team, part: string) => [...teamsKey(project), 'one', team.id, part];

/** A list on the open page of a team. Members change it in the app, at any time. */
const openList = { refetchInterval: openPagePollMs };

/** The members of a team, in the order of joining. */
export function membersQuery(project: OwnedProject, team: Team) {
  return queryOptions({
    queryKey: partKey(project, team, 'members'),
    queryFn: () => team.listUsers(),
    ...openList,
  });
}

/** The open invitations of a team. */
export function invitationsQuery(project: OwnedProject, team: Team) {
  return queryOptions({
    queryKey: partKey(project, team, 'invitations'),
    queryFn: () => team.listInvitations(),
    ...openList,
  });
}

/** The API keys of a team, newest first. */
export function teamKeysQuery(project: OwnedProject, team: Team) {
  return queryOptions({
    queryKey: partKey(project, team, 'keys'),
    queryFn: () => team.listApiKeys(),
    ...openList,
  });
}

/** The ids of the permissions that a member has directly in a team. */
export function memberPermissionsQuery(project: OwnedProject, team: Team, member: Member) {
  return queryOptions({
    queryKey: [...partKey(project, team, 'permissions'), member.id],
    queryFn: async () => (await member.listPermissions(team, { recursive: false })).map(({ id }) => id),
  });
}

/** The ids that a member has directly in a team, and the definitions from which the others follow. */
export function memberGrantsQuery(project: OwnedProject, team: Team, member: Member) {
  return queryOptions({
    queryKey: [...partKey(project, team, 'grants'), member.id],
    queryFn: async () => {
      const [definitions, granted] = await Promise.all([
        project.app.listTeamPermissionDefinitions(),
        member.listPermissions(team, { recursive: false }),
      ]);
      return { definitions, direct: granted.map(({ id }) => id) };
    },
  });
}

const candidateCount = 8;

/** The first users that a text finds, for a new member. */
export function candidatesQuery(project: OwnedProject, text: string) {
  return queryOptions({
    queryKey: [...teamsKey(project), 'candidates', text],
    queryFn: () => project.app.listUsers({ query: text, limit: candidateCount }),
    enabled: text !== '',
  });
}
