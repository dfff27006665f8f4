import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import type { Entry } from '../../cache/entry.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from '../account/subject.ts';

/** Name and image of a member inside one team. */
export interface TeamMemberProfile {
  /** Null: not set. */
  readonly displayName: string | null;
  /** Null: not set. */
  readonly profileImageUrl: string | null;
}

/** A member of a team as other members see them. A snapshot. */
export interface TeamUser {
  /** Id of the user. */
  readonly id: string;
  /** Name and image inside this team. */
  readonly teamProfile: TeamMemberProfile;
}

/** One's own name and image inside a team. A snapshot. */
export interface EditableTeamMemberProfile extends TeamMemberProfile {
  /** A name stays once it is set; an image goes with null. */
  update(changes: { displayName?: string | undefined; profileImageUrl?: string | null | undefined }): Promise<void>;
}

type ProfileJson = Reply<Routes['GET /team-member-profiles/{team_id}/{user_id}'], 'client'>;

/** The members of teams, as other members see them. */
export function teamUsers({ call, resources }: Context<'client'>) {
  return resources.make('memberProfiles', (session: Subject['session'], teamId: string) => ({
    load: async (): Promise<TeamUser[]> => {
      const { items } = await call('GET /team-member-profiles', { query: { team_id: teamId }, session });
      return items.map(item => entity({ id: item.user_id, teamProfile: memberProfileFields(item) }, {}, {}));
    },
  }));
}

/** What users are called in their teams. */
export function memberProfiles(
  ctx: Context<UserLevel>,
): (subject: Subject, teamId: string) => Entry<EditableTeamMemberProfile> {
  const { call, resources } = ctx;

  const profiles = resources.make('memberProfile', (session: Subject['session'], teamId: string, userId: string) => ({
    load: async () => {
      const params = { team_id: teamId, user_id: userId };
      const wire = await call('GET /team-member-profiles/{team_id}/{user_id}', { params, session });
      return toProfile(wire, { session, userId });
    },
  }));

  function toProfile(wire: ProfileJson, { session, userId }: Subject): EditableTeamMemberProfile {
    const teamId = wire.team_id;
    return entity(
      memberProfileFields(wire),
      {},
      {
        async update({ displayName, profileImageUrl }: { displayName?: string; profileImageUrl?: string | null }) {
          await call('PATCH /team-member-profiles/{team_id}/{user_id}', {
            params: { team_id: teamId, user_id: userId },
            body: { display_name: displayName, profile_image_url: profileImageUrl },
            session,
          });
          const { renew } = resources;
          await Promise.all([renew('memberProfile', session, teamId), renew('memberProfiles', session, teamId)]);
        },
      },
    );
  }

  return ({ session, userId }, teamId) => profiles.entry(session, teamId, userId);
}

export function memberProfileFields(wire: Pick<ProfileJson, 'display_name' | 'profile_image_url'>): TeamMemberProfile {
  return Object.freeze({ displayName: wire.display_name, profileImageUrl: wire.profile_image_url });
}
