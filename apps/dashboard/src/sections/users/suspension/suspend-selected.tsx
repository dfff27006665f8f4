import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { useSelectionChange } from '../selection/change-selected.ts';
import { ReasonField } from './reason-field.tsx';
import { words } from './words.ts';

interface SuspendSelectedProps {
  readonly ids: readonly string[];
  readonly onDone: () => void;
}

/** Suspends the selected users, all for the same reason. */
export function SuspendSelected({ ids, onDone }: SuspendSelectedProps) {
  const changeSelected = useSelectionChange();
  const [isConfirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');

  async function suspend() {
    onDone();
    void changeSelected(ids, { change: user => user.suspend({ reason }), done: words.done, partly: words.partly });
  }

  return (
    <>
      <ChangeButton variant="secondary" size="sm" onClick={() => setConfirming(true)}>
        {words.suspendSelected(ids.length)}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.question(ids.length)}
          confirmLabel={words.suspendSelected(ids.length)}
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
