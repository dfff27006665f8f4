import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectInvitation } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
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
  const cache = useQueryClient();
  const isOwner = useRole() === 'owner';
  const options = invitationsQuery(project);
  const query = useQuery(options);

  async function revoke({ id }: ProjectInvitation) {
    try {
      await project.app.revokeProjectInvitation(id);
      toast.success(words.revoked);
    } catch (error) {
      toast.error(problemWords(error));
    }
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  return (
    <div className="tss:grid tss:gap-2">
      <h3 className="tss:text-sm tss:font-medium">{words.invitations}</h3>
      <PanelList query={query} itemKey={({ id }) => id} empty={words.noInvitations}>
        {invitation => (
          <>
            <span className="tss:grid tss:min-w-0 tss:flex-1">
              <span dir="ltr" className="tss:wrap-anywhere">
                {invitation.recipientEmail}
              </span>
              <span className="tss:text-xs tss:text-muted-foreground">
                {words.expires} <RelativeTime at={invitation.expiresAt} />
              </span>
            </span>
            <Badge>{words.roles[invitation.role]}</Badge>
            {isOwner && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={words.revokeNamed(invitation.recipientEmail)}
                onClick={() => revoke(invitation)}
              >
                {words.revoke}
              </Button>
            )}
          </>
        )}
      </PanelList>
    </div>
  );
}
