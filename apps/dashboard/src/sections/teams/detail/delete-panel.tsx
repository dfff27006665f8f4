import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { shownName } from '../../../data/names/shown-name.ts';
import { useProject } from '../../../data/owner.tsx';
import { renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';

/** Deletes the team, after its name was typed. */
export function DeletePanel({ team }: { readonly team: Team }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);

  async function remove() {
    await team.delete();
    await navigate({ to: '/projects/$projectId/teams', params: { projectId: project.id }, ignoreBlocker: true });
    await renewTeams(cache, project);
    toast.success(words.deleted(shownName(team.displayName)));
  }

  return (
    <Panel title={words.danger} description={words.deleteText}>
      <ChangeButton
        variant="destructive"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setConfirming(true)}
      >
        {words.delete}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(shownName(team.displayName))}
          confirmLabel={words.delete}
          typedText={team.displayName}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
