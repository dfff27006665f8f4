import type { OpenTeamInvitation } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import type { ReadState } from '../../../hooks/reader.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { roleName } from './role-names.ts';

/** What the list shows of an invitation. A server without roles does not tell the role and the inviting user. */
interface ListedInvitation
  extends Pick<OpenTeamInvitation, 'id' | 'expiresAt'>,
    Partial<Pick<OpenTeamInvitation, 'roleId' | 'invitedBy'>> {
  readonly recipientEmail: string | null;
}

interface InvitationListProps<Invitation> {
  reading: ReadState<readonly Invitation[]>;
  /** Undefined for a user who may not revoke invitations. */
  revoke: ((invitation: Invitation) => Promise<void>) | undefined;
}

/** Pending invitations. */
export function InvitationList<Invitation extends ListedInvitation>({
  reading,
  revoke,
}: InvitationListProps<Invitation>) {
  const translate = useTranslate();

  return (
    <Section title={translate('team.invitations')}>
      <Loaded reading={reading}>
        {list =>
          list.length === 0 ? (
            <Hint>{translate('team.noInvitations')}</Hint>
          ) : (
            <Rows label={translate('team.invitations')}>
              {list.map(invitation => (
                <InvitationRow key={invitation.id} {...invitation} revoke={revoke && (() => revoke(invitation))} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

interface InvitationRowProps extends ListedInvitation {
  revoke: (() => Promise<void>) | undefined;
}

function InvitationRow({ recipientEmail, roleId, invitedBy, expiresAt, revoke }: InvitationRowProps) {
  const translate = useTranslate();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const email = recipientEmail ?? '–';
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
        {roleId && <Badge>{roleName(roleId, translate)}</Badge>}
      </div>
      <Hint>{invitedBy ? `${translate('team.invitedBy', { name: invitedBy })} · ${expires}` : expires}</Hint>
      {failure}
    </Row>
  );
}
