import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { shownName } from '../../../data/names/shown-name.ts';
import { useOwner, useProject } from '../../../data/owner.tsx';
import { words as all } from '../words.ts';

const words = all.members;

/** Ends the own membership. */
export function LeaveProject({ onClose }: { readonly onClose: () => void }) {
  const project = useProject();
  const owner = useOwner();
  const cache = useQueryClient();
  const navigate = useNavigate();

  async function leave() {
    await project.app.removeProjectMember(owner.id);
    await navigate({ to: '/', ignoreBlocker: true });
    cache.removeQueries({ queryKey: ['project', project.id] });
    await cache.invalidateQueries({ queryKey: ['projects'] });
    toast.success(words.left(shownName(project.displayName)));
  }

  return (
    <ConfirmDialog
      title={words.leaveTitle(shownName(project.displayName))}
      confirmLabel={words.leave}
      onConfirm={leave}
      onClose={onClose}
    >
      <p>{words.leaveText}</p>
    </ConfirmDialog>
  );
}
