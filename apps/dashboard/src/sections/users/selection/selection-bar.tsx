import { Button } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import type { User } from '../queries.ts';
import { SuspendSelected } from '../suspension/suspend-selected.tsx';
import { words } from '../words.ts';
import { useSelectionChange } from './change-selected.ts';
import { deleteLater } from './delete-later.ts';
import { selectionWords } from './selection-words.ts';

interface SelectionBarProps {
  /** The ids of the selected users, at least one. */
  readonly ids: readonly string[];
  /** What is typed to confirm the deletion: the name of the only selected user, else the number of users. */
  readonly typedText: string;
  readonly onClear: () => void;
  /** Hides users whose deletion has been asked for. */
  readonly onLeaving: (update: (known: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** What can be done with the selected users. */
export function SelectionBar({ ids, typedText, onClear, onLeaving }: SelectionBarProps) {
  const changeSelected = useSelectionChange();
  const [isConfirming, setConfirming] = useState(false);

  const show = () => onLeaving(known => new Set([...known].filter(id => !ids.includes(id))));

  async function remove() {
    const change = (user: User) => user.delete();
    await changeSelected(ids, { change, done: words.deleted, partly: selectionWords.deletedPartly });
    // Users who could not be deleted appear again.
    show();
  }

  async function ask() {
    onLeaving(known => new Set([...known, ...ids]));
    onClear();
    deleteLater(ids.length, { remove, undo: show });
  }

  return (
    <div
      role="toolbar"
      aria-label={selectionWords.selected(ids.length)}
      className="tss:sticky tss:bottom-4 tss:z-20 tss:flex tss:flex-wrap tss:items-center tss:gap-3 tss:rounded-lg tss:border tss:border-border tss:bg-accent tss:px-4 tss:py-2 tss:text-sm tss:text-accent-foreground tss:elevation-menu"
    >
      <p role="status" className="tss:flex-1">
        {selectionWords.selected(ids.length)}
      </p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        {selectionWords.clearSelection}
      </Button>
      <SuspendSelected ids={ids} onDone={onClear} />
      <ChangeButton variant="destructive" size="sm" onClick={() => setConfirming(true)}>
        {selectionWords.deleteSelected(ids.length)}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(ids.length)}
          confirmLabel={selectionWords.deleteSelected(ids.length)}
          typedText={typedText}
          onConfirm={ask}
          onClose={() => setConfirming(false)}
        >
          <p>{selectionWords.deleteSelectedText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
