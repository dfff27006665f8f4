import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { shownName } from '../../data/names/shown-name.ts';
import { type OwnedProject, useProject, useRole } from '../../data/owner.tsx';
import { words } from './words.ts';

/** Deletes the project, after its name was typed. */
export function DeletePanel() {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const role = useRole();
  const [isConfirming, setConfirming] = useState(false);
  // Without it no owner could sign in any more.
  if (project.id === 'internal') return <Panel title={words.danger} description={words.dangerInternal} />;
  if (role !== 'owner') return <Panel title={words.danger} description={words.dangerOwners} />;

  async function remove() {
    await project.delete();
    await navigate({ to: '/', ignoreBlocker: true });
    // The list must not show the project until it is fetched again.
    cache.setQueriesData<OwnedProject[]>({ queryKey: ['projects'] }, known =>
      known?.filter(({ id }) => id !== project.id),
    );
    cache.removeQueries({ queryKey: ['project', project.id] });
    await cache.invalidateQueries({ queryKey: ['projects'] });
    toast.success(words.deleted(shownName(project.displayName)));
  }

  return (
    <Panel title={words.danger} description={words.dangerText}>
      <Button variant="destructive" size="sm" className="tss:justify-self-start" onClick={() => setConfirming(true)}>
        {words.delete}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(shownName(project.displayName))}
          confirmLabel={words.delete}
          typedText={project.displayName}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{words.dangerText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
