import type { Team, TeamInvitation, TeamRole } from '@tessera/client';
import { Button, Field, Select } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../../form/email-field.tsx';
import { emailProblem } from '../../../form/email-rule.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useRead } from '../../../hooks/use-read.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { roleName } from './role-names.ts';

interface InviteFormProps {
  /** The roles that the signed-in user can give, the highest first. With several the form asks for one. */
  roles?: readonly TeamRole[];
  invite: (invitation: { email: string; roleId?: string }) => Promise<void>;
  /** Called after an invitation was sent. */
  sent?: () => void;
}

/** Invites a user by email. */
export function InviteForm({ roles = [], invite, sent }: InviteFormProps) {
  const translate = useTranslate();
  // A new form after every sent invitation, so that it is empty again.
  const [round, setRound] = useState(0);
  const [invited, setInvited] = useState<string>();

  return (
    <Section title={translate('team.invite')}>
      <AddressForm
        key={round}
        roles={roles}
        invite={invite}
        changed={() => setInvited(undefined)}
        sent={email => {
          setInvited(email);
          setRound(round + 1);
          sent?.();
        }}
      />
      <p role="status" className="tss:text-sm tss:wrap-anywhere tss:empty:hidden">
        {invited && translate('team.invited', { email: invited })}
      </p>
    </Section>
  );
}

interface AddressFormProps {
  roles: readonly TeamRole[];
  invite: InviteFormProps['invite'];
  changed: () => void;
  sent: (email: string) => void;
}

function AddressForm({ roles, invite, changed, sent }: AddressFormProps) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { email: emailProblem, role: () => undefined },
    submit: async values => {
      const email = values.email.trim();
      await invite(values.role === '' ? { email } : { email, roleId: values.role });
      sent(email);
      return undefined;
    },
  });

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('team.inviteSubmit')}>
        <EmailField {...form.field('email')} autoComplete="off" onChange={changed} />
        {roles.length > 1 && (
          <Field label={translate('team.role')}>
            <Select name="role" defaultValue={roles.at(-1)?.id}>
              {roles.map(({ id }) => (
                <option key={id} value={id}>
                  {roleName(id, translate)}
                </option>
              ))}
            </Select>
          </Field>
        )}
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
