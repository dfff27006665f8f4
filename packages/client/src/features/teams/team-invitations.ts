import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from '../account/subject.ts';

/** An open invitation. A snapshot. */
export interface TeamInvitation {
  /** Id of the invitation; not its code. */
  readonly id: string;
  /** The address that it was sent to. */
  readonly recipientEmail: string | null;
  /** The time from which the code of the invitation is refused. */
  readonly expiresAt: Date;
  /** Makes its code useless. A member needs `$remove_members`. */
  revoke(): Promise<void>;
}

/** Reads of a team about invitations. */
export interface TeamInvitationReads {
  /** The open invitations. A member needs `$read_members` and `$invite_members`. */
  listInvitations(): Promise<TeamInvitation[]>;
}

/** Inviting into a team. */
export interface TeamInvitationMethods {
  /** Emails an invitation that is valid for seven days. A member needs `$invite_members`. */
  inviteUser(options: {
    email: string;
    /** Where the link leads. Default: `urls.teamInvitation`; needed on a server. */
    callbackUrl?: string | undefined;
  }): Promise<void>;
}

type InvitationJson = Reply<Routes['GET /team-invitations'], 'client'>['items'][number];

export function teamInvitations(
  ctx: Context<UserLevel>,
): (
  session: Subject['session'],
  teamId: string,
) => { reads: Reads<TeamInvitationReads>; methods: TeamInvitationMethods } {
  const { call, resources } = ctx;

  const invitations = resources.make('invitations', (session: Subject['session'], teamId: string) => ({
    load: async () => {
      const { items } = await call('GET /team-invitations', { query: { team_id: teamId }, session });
      return items.map(item => toInvitation(item, session, teamId));
    },
  }));

  function toInvitation(wire: InvitationJson, session: Subject['session'], teamId: string): TeamInvitation {
    return entity(
      invitationFields(wire),
      {},
      {
        async revoke() {
          await call('DELETE /team-invitations/{id}', { params: { id: wire.id }, query: { team_id: teamId }, session });
          await resources.renew('invitations', session, teamId);
        },
      },
    );
  }

  return (session, teamId) => ({
    reads: { listInvitations: readOf(() => invitations.entry(session, teamId)) },
    methods: {
      async inviteUser({ email, callbackUrl }) {
        const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'teamInvitation', 'callbackUrl');
        await call('POST /team-invitations/send-code', { body: { team_id: teamId, email, callback_url }, session });
        await resources.renew('invitations', session, teamId);
      },
    },
  });
}

function invitationFields(wire: InvitationJson) {
  return { id: wire.id, recipientEmail: wire.recipient_email, expiresAt: new Date(wire.expires_at_millis) };
}
