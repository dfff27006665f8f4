import type { PermissionId } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { selectReader } from '../../objects/selection.ts';
import type { HasId, Subject, UserLevel } from './subject.ts';

/** A permission that a user has in a team. */
export interface TeamPermission {
  /** Name of the permission. */
  readonly id: string;
}

/** A permission that a user has in the whole project. */
export interface ProjectPermission {
  /** Name of the permission. */
  readonly id: string;
}

/** How to list permissions. */
export interface ListPermissionsOptions {
  /** Whether to list permissions that others contain, too. Default true. */
  readonly recursive?: boolean | undefined;
}

/** A team, or without one the whole project; then which one. */
type Which = [team: HasId, permissionId: PermissionId] | [permissionId: PermissionId];

/** A team, or without one the whole project. */
type ListArgs = [team: HasId, options?: ListPermissionsOptions] | [options?: ListPermissionsOptions];

/** Reads of a user about what they may do. */
export interface PermissionReads {
  /** The user's permissions in a team, or without one in the whole project. */
  listPermissions(...args: ListArgs): Promise<TeamPermission[]>;
  /** One of them, also where it is contained in another; null when the user does not have it. */
  getPermission(...args: Which): Promise<TeamPermission | null>;
}

/** Checks of permissions. */
export interface PermissionMethods {
  /** Whether the user has the permission, in a team or in the whole project, also where it is contained in another. */
  hasPermission(...args: Which): Promise<boolean>;
}

/** Grants and revocations of permissions, with server access. */
export interface PermissionGrantMethods {
  /** Grants a permission in a team, or without one in the whole project. @throws when it is not defined. */
  grantPermission(...args: Which): Promise<void>;
  /** Revokes a permission. @throws when it was not granted directly. */
  revokePermission(...args: Which): Promise<void>;
}

export function permissions(
  ctx: Context<UserLevel>,
): (subject: Subject) => { reads: Reads<PermissionReads>; methods: PermissionMethods } {
  const { call, resources } = ctx;

  const inTeam = resources.make(
    'teamPermissions',
    (session: Subject['session'], userId: string, teamId: string, recursive: boolean) => ({
      load: async () => {
        // A call without types may pass the id instead of the team. Without `team_id` the server lists all teams.
        const query = { team_id: String(teamId), user_id: userId, recursive };
        const { items } = await call('GET /team-permissions', { query, session });
        return items.map(({ id }): TeamPermission => Object.freeze({ id }));
      },
    }),
  );

  const inProject = resources.make(
    'projectPermissions',
    (session: Subject['session'], userId: string, recursive: boolean) => ({
      load: async () => {
        const { items } = await call('GET /project-permissions', { query: { user_id: userId, recursive }, session });
        return items.map(({ id }): ProjectPermission => Object.freeze({ id }));
      },
    }),
  );

  return ({ session, userId }) => {
    const listOf = (team: HasId | null, recursive: boolean) =>
      team ? inTeam.entry(session, userId, team.id, recursive) : inProject.entry(session, userId, recursive);

    const getPermission = readOf((...args: Which) => {
      const { team, permissionId } = whichOf(args);
      const find = (all: readonly TeamPermission[]) => all.find(({ id }) => id === permissionId) ?? null;
      return selectReader(listOf(team, true), permissionId, find);
    });

    return {
      reads: {
        listPermissions: readOf((...[first, options]: ListArgs) => {
          const isTeam = first !== undefined && 'id' in first;
          const { recursive = true } = (isTeam ? options : first) ?? {};
          return listOf(isTeam ? first : null, recursive);
        }),
        getPermission,
      },
      methods: { hasPermission: async (...args) => (await getPermission.fetch(...args)) !== null },
    };
  };
}

export function permissionGrants(ctx: Context<'server'>): (subject: Subject) => PermissionGrantMethods {
  const { call, resources } = ctx;
  return ({ session, userId }) => ({
    async grantPermission(...args) {
      const { team, permissionId } = whichOf(args);
      const params = { user_id: userId, permission_id: permissionId };
      if (team === null) {
        await call('POST /project-permissions/{user_id}/{permission_id}', { params, body: {}, session });
        return resources.renew('projectPermissions', session, userId);
      }
      await call('POST /team-permissions/{team_id}/{user_id}/{permission_id}', {
        params: { ...params, team_id: team.id },
        body: {},
        session,
      });
      return resources.renew('teamPermissions', session, userId, team.id);
    },
    async revokePermission(...args) {
      const { team, permissionId } = whichOf(args);
      const params = { user_id: userId, permission_id: permissionId };
      if (team === null) {
        await call('DELETE /project-permissions/{user_id}/{permission_id}', { params, session });
        return resources.renew('projectPermissions', session, userId);
      }
      await call('DELETE /team-permissions/{team_id}/{user_id}/{permission_id}', {
        params: { ...params, team_id: team.id },
        session,
      });
      return resources.renew('teamPermissions', session, userId, team.id);
    },
  });
}

function whichOf(args: Which): { team: HasId | null; permissionId: string } {
  return args.length === 1 ? { team: null, permissionId: args[0] } : { team: args[0], permissionId: args[1] };
}
