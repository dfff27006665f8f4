import { useQueryClient } from '@tanstack/react-query';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { deleteLater } from './delete-later.ts';
import { deleteUsers } from './delete-users.ts';
import { usersKey } from './queries.ts';
import { words } from './words.ts';

interface SelectionBarProps {
  /** The ids of the selected users, at least one. */
  readonly ids: readonly string[];
  /** What is typed to confirm the deletion: the name of the only selected user, else the number of users. */
  readonly typedText: string;
  readonly onClear: () => void;
  /** Hides users whose deletion has been asked for. */
  readonly onLeaving: (update: (known: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Each reason once: most often all deletions fail for the same one. */
function reasonsOf(failures: readonly unknown[]): string {
  return [...new Set(failures.map(problemWords))].join(' ');
}

/** What can be done with the selected users. */
export function SelectionBar({ ids, typedText, onClear, onLeaving }: SelectionBarProps) {
  const project = useProject();
  const cache = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);

  const show = () => onLeaving(known => new Set([...known].filter(id => !ids.includes(id))));

  async function remove() {
    const progress = toast.loading(words.working(0, ids.length));
    const onProgress = (count: number) => void toast.loading(words.working(count, ids.length), { id: progress });
    const { done, failures } = await deleteUsers(project, ids, onProgress);
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    // Users who could not be deleted appear again.
    show();
    if (failures.length === 0) toast.success(words.deleted(done), { id: progress });
    else toast.error(words.deletedPartly(done, failures.length), { id: progress, description: reasonsOf(failures) });
  }

  async function ask() {
    onLeaving(known => new Set([...known, ...ids]));
    onClear();
    deleteLater(ids.length, { remove, undo: show });
  }

  return (
    <div
      role="toolbar"
      aria-label={words.selected(ids.length)}
      className="tss:sticky tss:bottom-4 tss:z-20 tss:flex tss:flex-wrap tss:items-center tss:gap-3 tss:rounded-lg tss:border tss:border-border tss:bg-accent tss:px-4 tss:py-2 tss:text-sm tss:text-accent-foreground tss:elevation-menu"
    >
      <p role="status" className="tss:flex-1">
        {words.selected(ids.length)}
      </p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        {words.clearSelection}
      </Button>
      <ChangeButton variant="destructive" size="sm" onClick={() => setConfirming(true)}>
        {words.deleteSelected(ids.length)}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(ids.length)}
          confirmLabel={words.deleteSelected(ids.length)}
          typedText={typedText}
          onConfirm={ask}
          onClose={() => setConfirming(false)}
        >
          <p>{words.deleteSelectedText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
