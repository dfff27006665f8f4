import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { type Selection, useSelectionChange } from '../selection/change-selected.ts';
import { ShortLabel } from '../selection/short-label.tsx';
import { ReasonField } from './reason-field.tsx';
import { words } from './words.ts';

interface SuspendSelectedProps {
  readonly selection: Selection;
  readonly onDone: () => void;
}

/** Suspends the selected users, all for the same reason. */
export function SuspendSelected({ selection, onDone }: SuspendSelectedProps) {
  const changeSelected = useSelectionChange();
  const count = selection.ids.length;
  const [isConfirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');

  async function suspend() {
    onDone();
    void changeSelected(selection, {
      change: user => user.suspend({ reason }),
      done: words.done,
      partly: words.partly,
    });
  }

  return (
    <>
      <ChangeButton variant="secondary" size="sm" onClick={() => setConfirming(true)}>
        <ShortLabel text={words.suspendSelected(count)} />
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.question(count)}
          confirmLabel={words.suspendSelected(count)}
          onConfirm={suspend}
          onClose={() => setConfirming(false)}
        >
          <p>{words.textOfMany}</p>
          <ReasonField value={reason} onChange={setReason} />
        </ConfirmDialog>
      )}
    </>
  );
}
