import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { type Selection, type SelectionChange, useSelectionChange } from './change-selected.ts';

/** A change of selected users, with the words of its question. */
export interface AskedChange extends SelectionChange {
  readonly question: (count: number) => string;
  readonly text: string;
  readonly confirm: (count: number) => string;
  readonly variant: 'destructive' | 'primary';
}

interface ChangeSelectedDialogProps {
  readonly selection: Selection;
  readonly asked: AskedChange;
  readonly note?: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks with the number of users before they are changed. */
export function ChangeSelectedDialog({ selection, asked, note, onDone, onClose }: ChangeSelectedDialogProps) {
  const changeSelected = useSelectionChange();
  const count = selection.ids.length;

  async function confirm() {
    onDone();
    void changeSelected(selection, asked);
  }

  return (
    <ConfirmDialog
      title={asked.question(count)}
      confirmLabel={asked.confirm(count)}
      variant={asked.variant}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{asked.text}</p>
      {note !== undefined && <p>{note}</p>}
    </ConfirmDialog>
  );
}
