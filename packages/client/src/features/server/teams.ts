import type { Json } from '@tessera/protocol';
import type { TeamClientReadOnlyMetadata, TeamServerMetadata } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import { type Read, type Reads, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from '../account/subject.ts';
import type { TeamMemberProfile } from '../teams/team-members.ts';
import { memberProfileFields } from '../teams/team-members.ts';
import {
  newTeamToWire,
  type ServerTeamFields,
  type ServerTeamJson,
  serverTeamFields,
  type TeamCreateOptions,
  type TeamMethods,
  type TeamReads,
  type TeamUpdateOptions,
  teamChangesToWire,
  teamParts,
  type UserTeamMethods,
  type UserTeamReads,
  userTeamReads,
} from '../teams/teams.ts';
import { keysOf, ownerByKey, type PresentedApiKey } from './key-check.ts';
import type { ForTeams, ServerObjects } from './objects.ts';
import { orNull } from './or-null.ts';
import type { ServerUser } from './user.ts';

/** A member of a team, as a server sees them. */
export interface ServerTeamUser extends ServerUser {
  /** Name and image of the user inside this team. */
  readonly teamProfile: TeamMemberProfile;
}

/** Changes of a team that a server may make. */
export interface ServerTeamUpdateOptions extends TeamUpdateOptions {
  /** Replaced as a whole. */
  readonly clientReadOnlyMetadata?: TeamClientReadOnlyMetadata | undefined;
  /** Replaced as a whole. */
  readonly serverMetadata?: TeamServerMetadata | undefined;
}

/** A new team. */
export interface ServerTeamCreateOptions extends TeamCreateOptions {
  /** Who becomes creator and member. Default: none, and the team is empty. */
  readonly creatorUserId?: string | undefined;
}

/** Reads of a team at a server. */
export interface ServerTeamReads extends Omit<TeamReads, 'listUsers'> {
  /** The members, in the order of joining. */
  listUsers(): Promise<ServerTeamUser[]>;
}

/** Methods of a team with server access. */
export interface ServerTeamMethods extends Omit<TeamMethods, 'update'> {
  /** Changes the given fields; the others stay. */
  update(changes: ServerTeamUpdateOptions): Promise<void>;
  /** Makes a user a member, with the default permissions of members. @throws when they are one already. */
  addUser(userId: string): Promise<void>;
  /** Removes a member. @throws when the user is not a member. */
  removeUser(userId: string): Promise<void>;
}

/** A team as a server sees it. A snapshot. */
export interface ServerTeam extends ServerTeamFields, ServerTeamReads, ServerTeamMethods {}

/** A team: by id, or by an API key of it. */
export type TeamById = string | PresentedApiKey;

/** Reads of a server about teams. */
export interface ServerTeamsReads {
  /** All teams of the project, oldest first. */
  listTeams(): Promise<ServerTeam[]>;
  /** The team; null for an unknown id, and for a key that is not a valid key of a team. */
  getTeam(which: TeamById): Promise<ServerTeam | null>;
}

/** Creation of teams. */
export interface ServerTeamsMethods {
  /** Creates a team. @throws when the user in `creatorUserId` does not exist. */
  createTeam(options: ServerTeamCreateOptions): Promise<ServerTeam>;
}

/** The teams of a project. */
export interface ServerTeams {
  toTeam(wire: ServerTeamJson): ServerTeam;
  /** The reads and methods of a user that concern teams. */
  of(subject: Subject): { reads: Reads<UserTeamReads<ServerTeam>>; methods: UserTeamMethods<ServerTeam> };
  readonly reads: { listTeams: Read<[], ServerTeam[]>; getTeam: Read<[which: TeamById], ServerTeam | null> };
  readonly methods: ServerTeamsMethods;
}

export function serverTeams(ctx: Context<'server'>, { toUser, selectTeam, refreshShown }: ForTeams): ServerTeams {
  const { call, resources } = ctx;
  const { renew } = resources;
  const shared = teamParts(ctx.at<UserLevel>('server'));
  const session = null;

  const memberships = teamMemberships(ctx, refreshShown);
  const { lists, byId, byKey, members } = teamResources(ctx, { toUser, toTeam });

  async function refreshReads(): Promise<void> {
    await Promise.all([renew('teams'), renew('teamById'), renew('teamOfKey')]);
  }

  /** The team can be the selected one of any user. */
  async function refreshTeam(): Promise<void> {
    await Promise.all([refreshReads(), refreshShown()]);
  }

  function toTeam(wire: ServerTeamJson): ServerTeam {
    const params = { team_id: wire.id };
    const parts = shared.of(session, wire.id);
    return entity(
      serverTeamFields(wire),
      { ...parts.reads, listUsers: readOf(() => members.entry(null, wire.id)) },
      {
        ...parts.methods,
        async update(changes: ServerTeamUpdateOptions) {
          await call('PATCH /teams/{team_id}', { params, body: serverTeamChangesToWire(changes), session });
          await refreshTeam();
        },
        async delete() {
          await call('DELETE /teams/{team_id}', { params, session });
          await refreshTeam();
        },
        addUser: (userId: string) => memberships.add(wire.id, userId),
        removeUser: (userId: string) => memberships.remove(wire.id, userId),
      },
    );
  }

  async function createTeam(options: ServerTeamCreateOptions): Promise<ServerTeam> {
    const body = { ...newTeamToWire(options), creator_user_id: options.creatorUserId };
    const created = await call('POST /teams', { body, session });
    await refreshReads();
    return toTeam(created);
  }

  return {
    toTeam,
    reads: {
      listTeams: readOf(() => lists.entry(null, null)),
      getTeam: readOf(which => (typeof which === 'string' ? byId.entry(null, which) : byKey.entry(...keysOf(which)))),
    },
    methods: { createTeam },
    of(subject) {
      const { userId } = subject;
      return {
        reads: {
          ...userTeamReads(() => lists.entry(null, userId)),
          getTeamProfile: readOf(team => shared.profile(subject, team.id)),
        },
        methods: {
          async createTeam(options) {
            const team = await createTeam({ ...options, creatorUserId: userId });
            await selectTeam(userId, team.id);
            return team;
          },
          leaveTeam: ({ id }) => memberships.remove(id, userId),
        },
      };
    },
  };
}

/** Adds and removes members of teams, and refreshes the reads that show them. */
function teamMemberships({ call, resources }: Context<'server'>, refreshShown: ForTeams['refreshShown']) {
  const session = null;

  /** A user who leaves the selected team has no selected team. */
  async function refreshMembers(teamId: string, userId: string): Promise<void> {
    const lists = [resources.renew('memberProfiles', null, teamId), resources.renew('teams', null, userId)];
    await Promise.all([...lists, refreshShown(userId)]);
  }

  return {
    async add(teamId: string, userId: string): Promise<void> {
      const params = { team_id: teamId, user_id: userId };
      await call('POST /team-memberships/{team_id}/{user_id}', { params, body: {}, session });
      await refreshMembers(teamId, userId);
    },
    async remove(teamId: string, userId: string): Promise<void> {
      const params = { team_id: teamId, user_id: userId };
      await call('DELETE /team-memberships/{team_id}/{user_id}', { params, session });
      await refreshMembers(teamId, userId);
    },
  };
}

/** The cached answers about teams. */
function teamResources(
  { call, resources }: Context<'server'>,
  { toUser, toTeam }: Pick<ServerObjects, 'toUser'> & Pick<ServerTeams, 'toTeam'>,
) {
  const session = null;

  const lists = resources.make('teams', (_session: null, userId: string | null) => ({
    load: async () => {
      const { items } = await call('GET /teams', { query: { user_id: userId ?? undefined }, session });
      return items.map(toTeam);
    },
  }));

  const byId = resources.make('teamById', (_session: null, id: string) => ({
    // A malformed id is refused with SCHEMA_ERROR.
    load: () =>
      orNull(call('GET /teams/{team_id}', { params: { team_id: id }, session }).then(toTeam), [
        'TEAM_NOT_FOUND',
        'SCHEMA_ERROR',
      ]),
  }));

  const byKey = ownerByKey(resources, 'team', {
    async check(apiKey) {
      const key = await call('POST /team-api-keys/check', { body: { api_key: apiKey }, session });
      return { ownerId: key.team_id, scopes: key.scopes ?? null };
    },
    find: id => byId.fetch(null, id),
  });

  const members = resources.make('memberProfiles', (_session: null, teamId: string) => ({
    load: async () => {
      const { items } = await call('GET /team-member-profiles', { query: { team_id: teamId }, session });
      return items.map((item): ServerTeamUser => {
        const { reads, ...user } = toUser.parts(item.user);
        return entity({ ...user.fields, teamProfile: memberProfileFields(item) }, reads, user.methods);
      });
    },
  }));

  return { lists, byId, byKey, members };
}

function serverTeamChangesToWire(changes: ServerTeamUpdateOptions) {
  return {
    ...teamChangesToWire(changes),
    client_read_only_metadata: changes.clientReadOnlyMetadata as Json | undefined,
    server_metadata: changes.serverMetadata as Json | undefined,
  };
}
