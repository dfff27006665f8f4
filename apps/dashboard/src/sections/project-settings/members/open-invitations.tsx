import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectInvitation } from '@tessera/client';
import { useActionGuard } from '@tessera/react';
import { Badge, Button } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject, useRole } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { invitationsQuery } from '../queries.ts';
import { words as all } from '../words.ts';

const words = all.members;

/** The invitations that were not accepted yet. */
export function OpenInvitations() {
  const project = useProject();
  const isOwner = useRole() === 'owner';
  const query = useQuery(invitationsQuery(project));

  return (
    <div className="tss:grid tss:gap-2">
      <h3 className="tss:text-sm tss:font-medium">{words.invitations}</h3>
      {/* An invitation that is sent again is another one, in the same row. */}
      <PanelList query={query} itemKey={({ recipientEmail }) => recipientEmail} empty={words.noInvitations}>
        {invitation => (
          <>
            <span className="tss:grid tss:min-w-0 tss:flex-auto tss:basis-40">
              <span dir="ltr" className="tss:wrap-anywhere">
                {invitation.recipientEmail}
              </span>
              <span className="tss:text-xs tss:text-muted-foreground">
                {words.invited} <RelativeTime at={invitation.createdAt} /> · {words.expires}{' '}
                <RelativeTime at={invitation.expiresAt} />
              </span>
            </span>
            <Badge>{words.roles[invitation.role]}</Badge>
            {isOwner && <InvitationActions invitation={invitation} />}
          </>
        )}
      </PanelList>
    </div>
  );
}

function InvitationActions({ invitation }: { readonly invitation: ProjectInvitation }) {
  const { id, recipientEmail: email, role } = invitation;
  const project = useProject();
  const cache = useQueryClient();
  const guard = useActionGuard();
  const [busy, setBusy] = useState<'again' | 'revoke'>();

  async function run(action: 'again' | 'revoke', act: () => Promise<unknown>, done: string) {
    if (busy !== undefined) return;
    setBusy(action);
    try {
      await guard(act);
      toast.success(done);
    } catch (error) {
      toast.error(problemWords(error));
    }
    await cache.invalidateQueries({ queryKey: invitationsQuery(project).queryKey });
    setBusy(undefined);
  }

  return (
    <span className="tss:flex tss:gap-3">
      <Button
        variant="secondary"
        size="sm"
        aria-label={words.sendAgainTo(email)}
        busy={busy === 'again'}
        onClick={() => run('again', () => project.app.inviteProjectMember({ email, role }), words.sentAgain(email))}
      >
        {words.sendAgain}
      </Button>
      <Button
        variant="secondary"
        size="sm"
        aria-label={words.revokeNamed(email)}
        busy={busy === 'revoke'}
        onClick={() => run('revoke', () => project.app.revokeProjectInvitation(id), words.revoked)}
      >
        {words.revoke}
      </Button>
    </span>
  );
}
