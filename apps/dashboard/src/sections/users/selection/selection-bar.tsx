import { Button } from '@tessera/ui';
import { ChevronDown } from 'lucide-react';
import { lazy, useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { LazyMenu } from '../../../components/lazy-menu.tsx';
import { selectionBarId } from '../../../components/table/table-props.ts';
import type { ListedUser, User } from '../queries.ts';
import { SuspendSelected } from '../suspension/suspend-selected.tsx';
import { userName } from '../user-name.ts';
import { words } from '../words.ts';
import { type Selection, useSelectionChange } from './change-selected.ts';
import { deleteLater } from './delete-later.ts';
import { SelectionContext } from './selection-context.ts';
import { selectionWords } from './selection-words.ts';
import { ShortLabel } from './short-label.tsx';

const SelectionMenu = lazy(() => import('./selection-menu.tsx'));

interface SelectionBarProps {
  /** The ids of the selected users, at least one. */
  readonly ids: readonly string[];
  /** The loaded users, with the selected ones. */
  readonly rows: readonly ListedUser[];
  readonly onClear: () => void;
  /** Hides users whose deletion has been asked for. */
  readonly onLeaving: (update: (known: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** What can be done with the selected users. */
export function SelectionBar({ ids, rows, onClear, onLeaving }: SelectionBarProps) {
  const changeSelected = useSelectionChange();
  const [isConfirming, setConfirming] = useState(false);

  const nameOf = (id: string) => {
    const user = rows.find(row => row.id === id);
    return user === undefined ? id : userName(user);
  };
  const selection: Selection = { ids, nameOf };
  const suspendedIds = ids.filter(id => rows.some(row => row.id === id && row.suspendedAt !== null));

  const show = () => onLeaving(known => new Set([...known].filter(id => !ids.includes(id))));

  async function remove() {
    const change = (user: User) => user.delete();
    await changeSelected(selection, { change, done: words.deleted, partly: selectionWords.deletedPartly });
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
      id={selectionBarId}
      tabIndex={-1}
      role="toolbar"
      aria-label={selectionWords.selected(ids.length)}
      className="tss:sticky tss:bottom-4 tss:z-20 tss:flex tss:flex-wrap tss:items-center tss:gap-x-2 tss:gap-y-1 tss:sm:gap-3 tss:rounded-lg tss:border tss:border-border tss:bg-popover tss:px-2 tss:sm:px-4 tss:py-2 tss:text-sm tss:text-popover-foreground tss:elevation-menu"
    >
      {/* On a phone the number and the button beside it take the first row. */}
      <p role="status" className="tss:flex-1 tss:max-sm:basis-24">
        {selectionWords.selected(ids.length)}
      </p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        {selectionWords.clearSelection}
      </Button>
      <SelectionContext value={{ selection, suspendedIds, onDone: onClear }}>
        <LazyMenu Menu={SelectionMenu} className="tss:min-h-9">
          <ShortLabel text={selectionWords.more} />
          <ChevronDown aria-hidden size={16} />
        </LazyMenu>
      </SelectionContext>
      <SuspendSelected selection={selection} onDone={onClear} />
      <ChangeButton variant="destructive" size="sm" onClick={() => setConfirming(true)}>
        <ShortLabel text={selectionWords.deleteSelected(ids.length)} />
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(ids.length)}
          confirmLabel={selectionWords.deleteSelected(ids.length)}
          typedText={typedTextFor(selection)}
          onConfirm={ask}
          onClose={() => setConfirming(false)}
        >
          <p>{selectionWords.deleteSelectedText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What is typed to confirm the deletion: the name of the only user, else the number of users. */
function typedTextFor({ ids: [first, ...others], nameOf }: Selection): string {
  return first === undefined || others.length > 0 ? String(others.length + 1) : nameOf(first);
}
