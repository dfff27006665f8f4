import type { Team, TeamInvitation } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../../form/email-field.tsx';
import { emailProblem } from '../../../form/email-rule.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useRead } from '../../../hooks/use-read.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../parts.tsx';

/** Invites a person by email. */
export function InviteForm({ team }: { team: Team }) {
  const translate = useTranslate();
  // A new form after every sent invitation, so that it is empty again.
  const [round, setRound] = useState(0);
  const [invited, setInvited] = useState<string>();

  return (
    <Section title={translate('team.invite')}>
      <AddressForm
        key={round}
        team={team}
        changed={() => setInvited(undefined)}
        sent={email => {
          setInvited(email);
          setRound(round + 1);
        }}
      />
      <p role="status" className="tss:text-sm tss:wrap-anywhere tss:empty:hidden">
        {invited && translate('team.invited', { email: invited })}
      </p>
    </Section>
  );
}

interface AddressFormProps {
  team: Team;
  changed: () => void;
  sent: (email: string) => void;
}

function AddressForm({ team, changed, sent }: AddressFormProps) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async values => {
      const email = values.email.trim();
      await team.inviteUser({ email });
      sent(email);
      return undefined;
    },
  });

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('team.inviteSubmit')}>
        <EmailField {...form.field('email')} autoComplete="off" onChange={changed} />
      </FormFrame>
    </div>
  );
}

interface InvitationsProps {
  team: Team;
  mayRevoke: boolean;
}

/** Pending invitations. */
export function Invitations({ team, mayRevoke }: InvitationsProps) {
  const translate = useTranslate();
  const invitations = useRead(team, 'listInvitations');

  return (
    <Section title={translate('team.invitations')}>
      <Loaded reading={invitations}>
        {list =>
          list.length === 0 ? (
            <Hint>{translate('team.noInvitations')}</Hint>
          ) : (
            <Rows label={translate('team.invitations')}>
              {list.map(invitation => (
                <InvitationRow key={invitation.id} invitation={invitation} mayRevoke={mayRevoke} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

function InvitationRow({ invitation, mayRevoke }: { invitation: TeamInvitation; mayRevoke: boolean }) {
  const translate = useTranslate();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const email = invitation.recipientEmail ?? '–';

  return (
    <Row
      actions={
        mayRevoke && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={translate('team.revoke', { email })}
            onClick={async () => void (await attempt(() => invitation.revoke()))}
          >
            {translate('keys.revoke')}
          </Button>
        )
      }
    >
      <bdi className="tss:justify-self-start tss:font-medium tss:wrap-anywhere">{email}</bdi>
      <Hint>{translate('team.expires', { date: dates.day(invitation.expiresAt) })}</Hint>
      {failure}
    </Row>
  );
}
