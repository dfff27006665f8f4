import type { Json, Reply, Routes } from '@tessera/protocol';
import type { TeamClientMetadata, TeamClientReadOnlyMetadata, TeamServerMetadata } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import { type Read, type Reads, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';
import { selectReader } from '../../objects/selection.ts';
import type { HasId, Subject, UserLevel } from '../account/subject.ts';
import { type TeamApiKeyMethods, type TeamApiKeyReads, teamApiKeys } from '../api-keys/api-keys.ts';
import { type TeamInvitationMethods, type TeamInvitationReads, teamInvitations } from './team-invitations.ts';
import { type EditableTeamMemberProfile, memberProfiles, type TeamUser, teamUsers } from './team-members.ts';

/** The fields of a team. A snapshot. */
export interface TeamFields {
  /** Id of the team. */
  readonly id: string;
  /** The name that users see. */
  readonly displayName: string;
  /** Null: none. */
  readonly profileImageUrl: string | null;
  /** Written by its members. */
  readonly clientMetadata: TeamClientMetadata;
  /** Written by servers, readable by members. */
  readonly clientReadOnlyMetadata: TeamClientReadOnlyMetadata;
}

/** What only servers know of a team. */
export interface ServerTeamFields extends TeamFields {
  /** When it was made. */
  readonly createdAt: Date;
  /** Written by servers and never shown to members. */
  readonly serverMetadata: TeamServerMetadata;
}

/** Changes of a team; members left out stay as they are. */
export interface TeamUpdateOptions {
  /** What people read of it. */
  readonly displayName?: string | undefined;
  /** A base64 data image; servers may set any URL. */
  readonly profileImageUrl?: string | null | undefined;
  /** Replaced as a whole. */
  readonly clientMetadata?: TeamClientMetadata | undefined;
}

/** A new team. */
export interface TeamCreateOptions {
  /** What people read of it. */
  readonly displayName: string;
  /** A base64 data image; servers may set any URL. */
  readonly profileImageUrl?: string | null | undefined;
}

/** Reads of a team that a user is in. */
export interface TeamReads extends TeamInvitationReads, TeamApiKeyReads {
  /** The members, in the order of joining. A member needs `$read_members`. */
  listUsers(): Promise<TeamUser[]>;
}

/** What a member may do with a team. */
export interface TeamMethods extends TeamInvitationMethods, TeamApiKeyMethods {
  /** A member needs `$update_team`. */
  update(changes: TeamUpdateOptions): Promise<void>;
  /** A member needs `$delete_team`. */
  delete(): Promise<void>;
}

/** A team as its members see it. */
export interface Team extends TeamFields, TeamReads, TeamMethods {}

/** Reads of a user about their teams. */
export interface UserTeamReads<AnyTeam> {
  /** The teams that the user is in, oldest first. */
  listTeams(): Promise<AnyTeam[]>;
  /** One of them; null when the user is not in it. */
  getTeam(id: string): Promise<AnyTeam | null>;
  /** Name and image of the user inside a team. */
  getTeamProfile(team: HasId): Promise<EditableTeamMemberProfile>;
}

/** What a user may do about teams. */
export interface UserTeamMethods<AnyTeam> {
  /** The user becomes creator and member, and the team is selected. @throws where the project does not allow it. */
  createTeam(options: TeamCreateOptions): Promise<AnyTeam>;
  /** Ends the membership of the user. */
  leaveTeam(team: HasId): Promise<void>;
}

export type TeamJson = Reply<Routes['GET /teams/{team_id}'], 'client'>;
export type ServerTeamJson = Reply<Routes['GET /teams/{team_id}'], 'server'>;

/** The teams of signed-in users: the conversion from JSON, and the reads and methods of a user. */
export interface Teams {
  toTeam(wire: TeamJson, subject: Subject): Team;
  of(subject: Subject): { reads: Reads<UserTeamReads<Team>>; methods: UserTeamMethods<Team> };
}

export function teams(ctx: Context<'client'>): Teams {
  const { call, resources } = ctx;
  const shared = teamParts(ctx.at<UserLevel>('client'));
  const members = teamUsers(ctx);

  const list = resources.make('teams', (session: Subject['session'], userId: string) => ({
    load: async () => {
      const { items } = await call('GET /teams', { query: { user_id: userId }, session });
      return items.map(item => toTeam(item, { session, userId }));
    },
  }));

  async function refreshReads({ session }: Subject): Promise<void> {
    await Promise.all([resources.renew('teams', session), resources.renew('user', session)]);
  }

  function toTeam(wire: TeamJson, subject: Subject): Team {
    const { session } = subject;
    const params = { team_id: wire.id };
    const parts = shared.of(session, wire.id);
    return entity(
      teamFields(wire),
      { ...parts.reads, listUsers: readOf(() => members.entry(session, wire.id)) },
      {
        ...parts.methods,
        async update(changes: TeamUpdateOptions) {
          await call('PATCH /teams/{team_id}', { params, body: teamChangesToWire(changes), session });
          await refreshReads(subject);
        },
        async delete() {
          await call('DELETE /teams/{team_id}', { params, session });
          await refreshReads(subject);
        },
      },
    );
  }

  return {
    toTeam,
    of(subject) {
      const { session, userId } = subject;
      return {
        reads: {
          ...userTeamReads(() => list.entry(session, userId)),
          getTeamProfile: readOf(team => shared.profile(subject, team.id)),
        },
        methods: {
          async createTeam(options) {
            const body = { ...newTeamToWire(options), creator_user_id: userId };
            const created = await call('POST /teams', { body, session });
            try {
              await call('PATCH /users/me', { body: { selected_team_id: created.id }, session });
            } finally {
              // The team exists also when it could not be selected.
              await refreshReads(subject);
            }
            return toTeam(created, subject);
          },
          async leaveTeam({ id }) {
            const params = { team_id: id, user_id: userId };
            await call('DELETE /team-memberships/{team_id}/{user_id}', { params, session });
            await refreshReads(subject);
          },
        },
      };
    },
  };
}

/** What teams have at both levels. */
export function teamParts(ctx: Context<UserLevel>) {
  const [keys, invitations] = [teamApiKeys(ctx), teamInvitations(ctx)];
  return {
    profile: memberProfiles(ctx),
    of(session: Subject['session'], teamId: string) {
      const [own, open] = [keys(session, teamId), invitations(session, teamId)];
      return { reads: { ...own.reads, ...open.reads }, methods: { ...own.methods, ...open.methods } };
    },
  };
}

/** Finding a team is looking through the list. */
export function userTeamReads<AnyTeam extends HasId>(
  list: () => ReturnType<Read<[], AnyTeam[]>['reader']>,
): Pick<Reads<UserTeamReads<AnyTeam>>, 'listTeams' | 'getTeam'> {
  const find = (id: string) => (all: readonly AnyTeam[]) => all.find(team => team.id === id) ?? null;
  return { listTeams: readOf(list), getTeam: readOf((id: string) => selectReader(list(), id, find(id))) };
}

export function teamFields(wire: TeamJson): TeamFields {
  return {
    id: wire.id,
    displayName: wire.display_name,
    profileImageUrl: wire.profile_image_url,
    clientMetadata: wire.client_metadata as TeamClientMetadata,
    clientReadOnlyMetadata: wire.client_read_only_metadata as TeamClientReadOnlyMetadata,
  };
}

export function serverTeamFields(wire: ServerTeamJson): ServerTeamFields {
  return {
    ...teamFields(wire),
    createdAt: new Date(wire.created_at_millis),
    serverMetadata: wire.server_metadata as TeamServerMetadata,
  };
}

export function newTeamToWire({ displayName, profileImageUrl }: TeamCreateOptions) {
  return { display_name: displayName, profile_image_url: profileImageUrl };
}

export function teamChangesToWire({ displayName, profileImageUrl, clientMetadata }: TeamUpdateOptions) {
  return {
    display_name: displayName,
    profile_image_url: profileImageUrl,
    client_metadata: clientMetadata as Json | undefined,
  };
}
