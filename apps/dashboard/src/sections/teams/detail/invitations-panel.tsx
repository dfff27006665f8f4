import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Field, Input, isEmail } from '@tessera/ui';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { EmailInput } from '../../../components/form/email-input.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { keepPage, usualPage } from '../../../data/links/app-pages.ts';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words as common } from '../../../words.ts';
import { invitationsQuery, type Team } from '../queries.ts';
import { words } from '../words.ts';

/** The open invitations of a team. */
export function InvitationsPanel({ team }: { readonly team: Team }) {
  const options = invitationsQuery(useProject(), team);
  const query = useQuery(options);
  const cache = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [sentAgain, setSentAgain] = useState<OpenInvitation>();

  async function revoke(invitation: { revoke(): Promise<void> }) {
    try {
      await invitation.revoke();
      toast.success(words.invitations.revoked);
    } catch (error) {
      toast.error(problemWords(error));
    }
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  return (
    <Panel
      title={words.invitations.title}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setInviting(true)}>
          <Mail aria-hidden size={16} />
          {words.invitations.invite}
        </ChangeButton>
      }
    >
      <PanelList query={query} itemKey={invitation => invitation.id} empty={words.invitations.empty}>
        {invitation => {
          const address = invitation.recipientEmail ?? words.invitations.unknownAddress;
          return (
            <>
              <span className="tss:grid tss:min-w-0 tss:flex-auto tss:basis-40">
                <span dir="ltr" className="tss:wrap-anywhere">
                  {address}
                </span>
                <span className="tss:text-xs tss:text-muted-foreground">
                  {words.invitations.expires} <RelativeTime at={invitation.expiresAt} />
                </span>
              </span>
              <span className="tss:flex tss:gap-3">
                {invitation.recipientEmail !== null && (
                  <ChangeButton
                    variant="secondary"
                    size="sm"
                    aria-label={words.invitations.againTo(address)}
                    onClick={() => setSentAgain({ id: invitation.id, address })}
                  >
                    {words.invitations.again}
                  </ChangeButton>
                )}
                <ChangeButton
                  variant="secondary"
                  size="sm"
                  aria-label={words.invitations.revokeNamed(address)}
                  onClick={() => revoke(invitation)}
                >
                  {words.invitations.revoke}
                </ChangeButton>
              </span>
            </>
          );
        }}
      </PanelList>
      {isInviting && <Invite team={team} onClose={() => setInviting(false)} />}
      {sentAgain && <SendAgain team={team} invitation={sentAgain} onClose={() => setSentAgain(undefined)} />}
    </Panel>
  );
}

interface OpenInvitation {
  readonly id: string;
  readonly address: string;
}

interface SendAgainProps {
  readonly team: Team;
  readonly invitation: OpenInvitation;
  readonly onClose: () => void;
}

/** Emails an open invitation again. The server does not keep the page of the app that accepts it. */
function SendAgain({ team, invitation: { id, address }, onClose }: SendAgainProps) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { link: usualPage(project, 'team-invitation') },
    validate: ({ link }) => ({ link: linkError(link) }),
    submit: async ({ link }) => {
      const callbackUrl = link.trim();
      await project.app.sendTeamInvitationAgain({ teamId: team.id, invitationId: id, callbackUrl });
      keepPage(project, callbackUrl);
      await cache.invalidateQueries({ queryKey: invitationsQuery(project, team).queryKey });
      toast.success(words.invitations.sent(address));
      onClose();
    },
  });

  return (
    <EditDialog title={words.invitations.againTo(address)} onClose={onClose}>
      <DialogForm form={form} label={words.invitations.send} onClose={onClose}>
        <p className="tss:text-sm tss:text-muted-foreground">{words.invitations.againText}</p>
        <LinkField value={form.values.link} error={form.errors.link} onChange={link => form.set('link', link)} />
      </DialogForm>
    </EditDialog>
  );
}

interface LinkFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (link: string) => void;
}

function LinkField({ value, error, onChange }: LinkFieldProps) {
  return (
    <Field label={words.invitations.link} description={words.invitations.linkHint} error={error}>
      <Input type="url" dir="ltr" autoComplete="off" value={value} onChange={event => onChange(event.target.value)} />
    </Field>
  );
}

function linkError(link: string): string | undefined {
  return URL.canParse(link.trim()) ? undefined : words.invitations.needsLink;
}

/** Emails an invitation. */
function Invite({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { email: '', link: usualPage(project, 'team-invitation') },
    validate: ({ email, link }) => ({
      email: isEmail(email) ? undefined : common.form.emailWrong,
      link: linkError(link),
    }),
    submit: async ({ email, link }) => {
      const address = email.trim();
      await team.inviteUser({ email: address, callbackUrl: link.trim() });
      keepPage(project, link.trim());
      await cache.invalidateQueries({ queryKey: invitationsQuery(project, team).queryKey });
      toast.success(words.invitations.sent(address));
      onClose();
    },
  });

  return (
    <EditDialog title={words.invitations.invite} onClose={onClose}>
      <DialogForm form={form} label={words.invitations.send} onClose={onClose}>
        <Field label={words.invitations.email} error={form.errors.email}>
          <EmailInput value={form.values.email} onChange={event => form.set('email', event.target.value)} />
        </Field>
        <LinkField value={form.values.link} error={form.errors.link} onChange={link => form.set('link', link)} />
      </DialogForm>
    </EditDialog>
  );
}
