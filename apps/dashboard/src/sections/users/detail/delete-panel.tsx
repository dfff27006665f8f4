import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type User, usersKey } from '../queries.ts';
import { userName } from '../user-name.ts';
import { words } from '../words.ts';

/** Deletes the user, after their name was typed. */
export function DeletePanel({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);

  async function remove() {
    await user.delete();
    await navigate({ to: '/projects/$projectId/users', params: { projectId: project.id } });
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    toast.success(words.deleted(1));
  }

  return (
    <Panel title={words.detail.danger} description={words.deleteText}>
      <ChangeButton
        variant="destructive"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setConfirming(true)}
      >
        {words.detail.delete}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(1)}
          confirmLabel={words.detail.delete}
          typedText={userName(user)}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
