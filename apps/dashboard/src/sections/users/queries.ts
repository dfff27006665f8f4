import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { openPagePollMs } from '../../data/query-client.ts';
import { explainPermissions } from './explain-permissions.ts';
import { type UserSearch, userFilterOf } from './search.ts';

const pageSize = 100;
/** Fills a tall window. The list is first shown with these, so they are few. */
const firstPageSize = 40;
/** Rows that fill a window. */
const enoughRows = 25;

/** The key of everything about the users of a project. */
export const usersKey = (project: OwnedProject) => ['project', project.id, 'users'] as const;

/** A page as it is shown; it is filled up until it has enough rows to look like one. */
export interface UserPage {
  readonly users: readonly ListedUser[];
  readonly nextCursor: string | null;
}

/**
 * Pages of the user list, by keyset cursor. A page of the server may have few users or none although more follow: rare
 * matches are far apart. Such pages are joined, so that the list never ends before its end.
 */
export function userPagesQuery(project: OwnedProject, search: UserSearch) {
  const { hide: _, ...filters } = search;
  return infiniteQueryOptions({
    queryKey: [...usersKey(project), 'list', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<UserPage> => {
      const users: ListedUser[] = [];
      let cursor: string | null | undefined = pageParam;
      do {
        const limit = cursor == null ? firstPageSize : pageSize;
        const options = { ...userFilterOf(search), limit, ...(cursor == null ? {} : { cursor }) };
        const page = await project.app.findUsers(options);
        users.push(...page);
        cursor = page.nextCursor;
      } while (cursor !== null && users.length < enoughRows && !signal.aborted);
      return { users, nextCursor: cursor };
    },
    getNextPageParam: page => page.nextCursor ?? undefined,
  });
}

/** A user of a list. */
export type ListedUser = Awaited<ReturnType<OwnedProject['app']['findUsers']>>[number];

/** The number of users of the project. */
export function userTotalQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...usersKey(project), 'total'],
    queryFn: async () => (await project.app.getMetrics()).totalUsers,
  });
}

/** One user; null when there is none. */
export function userQuery(project: OwnedProject, userId: string) {
  return queryOptions({
    queryKey: [...usersKey(project), 'one', userId],
    queryFn: () => project.app.getUser(userId),
  });
}

/** A user of the project, with everything that an owner can do with them. */
export type User = Awaited<ReturnType<OwnedProject['app']['listUsers']>>[number];

const partKey = (project: OwnedProject, userId: string, part: string) => [...usersKey(project), 'one', userId, part];

/** What only the list tells of a user. A whole id finds one user; null for a user who is gone. */
export function listedUserQuery(project: OwnedProject, user: User) {
  return queryOptions({
    queryKey: partKey(project, user.id, 'listed'),
    queryFn: async () => {
      const found = await project.app.findUsers({ query: user.id });
      return found.find(({ id }) => id === user.id) ?? null;
    },
  });
}

/** What a request for an email code does for a user. */
export function emailCodeQuery(project: OwnedProject, user: User) {
  return { ...listedUserQuery(project, user), select: codeOf };
}

const codeOf = (listed: ListedUser | null) => listed?.emailCode ?? 'no_address';

/** An email address of a user. */
export type Channel = Awaited<ReturnType<User['listContactChannels']>>[number];

/** The email addresses of a user. */
export function channelsQuery(project: OwnedProject, user: User) {
  return queryOptions({
    queryKey: partKey(project, user.id, 'channels'),
    queryFn: () => user.listContactChannels(),
  });
}

/** The sessions of a user, newest first. */
export function sessionsQuery(project: OwnedProject, user: User) {
  return queryOptions({ queryKey: partKey(project, user.id, 'sessions'), queryFn: () => user.getDeviceSessions() });
}

/** The teams of a user. */
export function teamsQuery(project: OwnedProject, user: User) {
  return queryOptions({ queryKey: partKey(project, user.id, 'teams'), queryFn: () => user.listTeams() });
}

/**
 * What a user may do in the whole project (without a team) and in each of the first teams where a permission is granted,
 * with the reasons. Each team is a request.
 */
export function permissionsQuery(project: OwnedProject, user: User, teamCount: number) {
  return queryOptions({
    queryKey: [...partKey(project, user.id, 'permissions'), teamCount],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { app } = project;
      const [inProject, inTeams, teams, own] = await Promise.all([
        app.listProjectPermissionDefinitions(),
        app.listTeamPermissionDefinitions(),
        user.listTeams(),
        user.listPermissions({ recursive: false }),
      ]);
      const ofTeams = await Promise.all(
        teams.slice(0, teamCount).map(async team => {
          const granted = await user.listPermissions(team, { recursive: false });
          return { team: team as typeof team | null, permissions: explainPermissions(idsOf(granted), inTeams) };
        }),
      );
      const ofProject = { team: null, permissions: explainPermissions(idsOf(own), inProject) };
      return [ofProject, ...ofTeams].filter(({ permissions }) => permissions.length > 0);
    },
  });
}

const idsOf = (granted: readonly { readonly id: string }[]) => granted.map(({ id }) => id);

/** The ids that a user has directly in the whole project, and the definitions from which the others follow. */
export function projectGrantsQuery(project: OwnedProject, user: User) {
  return queryOptions({
    queryKey: partKey(project, user.id, 'grants'),
    queryFn: async () => {
      const [definitions, granted] = await Promise.all([
        project.app.listProjectPermissionDefinitions(),
        user.listPermissions({ recursive: false }),
      ]);
      return { definitions, direct: idsOf(granted) };
    },
  });
}

/** The API keys of a user. */
export function userKeysQuery(project: OwnedProject, user: User) {
  return queryOptions({ queryKey: partKey(project, user.id, 'keys'), queryFn: () => user.listApiKeys() });
}

/** When the account that the user has deleted will be gone; null when it will not. */
export function deletionQuery(project: OwnedProject, userId: string) {
  return queryOptions({
    queryKey: partKey(project, userId, 'deletion'),
    queryFn: () => project.app.getUserDeletion(userId),
  });
}

/** Since when and why the user is suspended; null for a user who may sign in. */
export function suspensionQuery(project: OwnedProject, user: User) {
  return queryOptions({ queryKey: partKey(project, user.id, 'suspension'), queryFn: () => user.getSuspension() });
}

/** From where sign-ins of a user are refused after failed attempts. A block ends by itself. */
export function signInBlocksQuery(project: OwnedProject, userId: string) {
  return queryOptions({
    queryKey: partKey(project, userId, 'sign-in-blocks'),
    queryFn: () => project.app.getSignInBlocks(userId),
    refetchInterval: openPagePollMs,
  });
}

const activityPageSize = 20;

/** The newest events of the audit log about a user. */
export function activityQuery(project: OwnedProject, userId: string) {
  return queryOptions({
    queryKey: partKey(project, userId, 'activity'),
    queryFn: () => project.app.listAuditEvents({ userId, limit: activityPageSize }),
  });
}
