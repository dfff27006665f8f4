import type { OpenTeamInvitation, TeamManagement } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useLoad } from '../../../hooks/use-load.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { roleName } from './role-names.ts';

interface RoleInvitationsProps {
  management: TeamManagement;
  mayRevoke: boolean;
}

/** Pending invitations with their roles. */
export function RoleInvitations({ management, mayRevoke }: RoleInvitationsProps) {
  const translate = useTranslate();
  const invitations = useLoad(() => management.getOpenInvitations());

  async function revoke(id: string) {
    await management.revokeInvitation(id);
    invitations.change(list => list.filter(invitation => invitation.id !== id));
  }

  return (
    <Section title={translate('team.invitations')}>
      <Loaded reading={invitations}>
        {list =>
          list.length === 0 ? (
            <Hint>{translate('team.noInvitations')}</Hint>
          ) : (
            <Rows label={translate('team.invitations')}>
              {list.map(invitation => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  revoke={mayRevoke ? () => revoke(invitation.id) : undefined}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

interface InvitationRowProps {
  invitation: OpenTeamInvitation;
  revoke: (() => Promise<void>) | undefined;
}

function InvitationRow({ invitation, revoke }: InvitationRowProps) {
  const translate = useTranslate();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const { recipientEmail: email, roleId, invitedBy, expiresAt } = invitation;
  const expires = translate('team.expires', { date: dates.day(expiresAt) });

  return (
    <Row
      actions={
        revoke && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={translate('team.revoke', { email })}
            onClick={async () => void (await attempt(revoke))}
          >
            {translate('keys.revoke')}
          </Button>
        )
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-x-2 tss:gap-y-1">
        <bdi className="tss:font-medium tss:wrap-anywhere">{email}</bdi>
        {roleId !== null && <Badge>{roleName(roleId, translate)}</Badge>}
      </div>
      <Hint>{invitedBy === null ? expires : `${translate('team.invitedBy', { name: invitedBy })} · ${expires}`}</Hint>
      {failure}
    </Row>
  );
}
