import type { Context } from '../../app/context.ts';
import type { ServerTeam, ServerTeams } from '../server/teams.ts';

/** Which teams to find, and where the page begins. */
export interface FindTeamsOptions {
  /** A part of a name, or a whole id. */
  readonly query?: string | undefined;
  /** Default `newest`. */
  readonly order?: 'newest' | 'oldest' | 'name' | undefined;
  /** How many teams a page has, at most 1000. Default 100. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** A page of teams. */
export type FoundTeamPage = ServerTeam[] & {
  /** The start of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** Methods of an admin app for projects with many teams. */
export interface TeamListMethods {
  /**
   * A page of the teams of the project.
   *
   * @example
   * const page = await app.findTeams({ query: 'north', order: 'name' });
   */
  findTeams(options?: FindTeamsOptions): Promise<FoundTeamPage>;
  /**
   * Sends an open invitation of a team again, with its role. A new link replaces the old one.
   *
   * @throws VERIFICATION_CODE_NOT_FOUND when it was accepted, revoked or expired
   * @example
   * for (const { id: invitationId } of await team.listInvitations())
   *   await app.sendTeamInvitationAgain({ teamId: team.id, invitationId, callbackUrl });
   */
  sendTeamInvitationAgain(options: {
    readonly teamId: string;
    readonly invitationId: string;
    /** A page of the app that accepts invitations. */
    readonly callbackUrl: string;
  }): Promise<void>;
}

export function teamList(
  { call }: Context<'admin'>,
  { toTeam }: Pick<ServerTeams, 'toTeam'>,
): { methods: TeamListMethods } {
  return {
    methods: {
      async findTeams(query = {}) {
        const { items, pagination } = await call('GET /internal/extensions/teams', {
          query: { ...query },
          session: null,
        });
        return Object.assign(items.map(toTeam), { nextCursor: pagination.next_cursor });
      },
      async sendTeamInvitationAgain({ teamId: team_id, invitationId: id, callbackUrl: callback_url }) {
        const request = { params: { team_id, id }, body: { callback_url }, session: null };
        await call('POST /internal/extensions/teams/{team_id}/invitations/{id}/send-again', request);
      },
    },
  };
}
