import type { OpenTeamInvitation, Team, TeamInvitation, TeamManagement, TeamRole } from '@tessera/client';
import { Field, Select } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../../form/email-field.tsx';
import { emailProblem } from '../../../form/email-rule.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useGuardedForm, valuesOf } from '../../../form/use-guarded-form.ts';
import { useLoad } from '../../../hooks/use-load.ts';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Section } from '../parts/parts.tsx';
import { InvitationList } from './invitation-list.tsx';
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
  const [invited, setInvited] = useState<string>();

  return (
    <Section title={translate('team.invite')}>
      <AddressForm
        roles={roles}
        invite={invite}
        changed={() => setInvited(undefined)}
        sent={email => {
          setInvited(email);
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
    done: (element, { email }) => {
      // The next address may have been typed meanwhile.
      if (valuesOf(element, ['email']).email === email) element.reset();
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

/** Pending invitations on a server without roles. */
export function Invitations({ team, mayRevoke }: InvitationsProps) {
  const revoke = (invitation: TeamInvitation) => invitation.revoke();
  return <InvitationList reading={useRead(team, 'listInvitations')} revoke={mayRevoke ? revoke : undefined} />;
}

interface RoleInvitationsProps {
  management: TeamManagement;
  mayRevoke: boolean;
}

/** Pending invitations with their roles. */
export function RoleInvitations({ management, mayRevoke }: RoleInvitationsProps) {
  const invitations = useLoad(() => management.getOpenInvitations());

  async function revoke({ id }: OpenTeamInvitation) {
    await management.revokeInvitation(id);
    invitations.change(list => list.filter(invitation => invitation.id !== id));
  }

  return <InvitationList reading={invitations} revoke={mayRevoke ? revoke : undefined} />;
}
