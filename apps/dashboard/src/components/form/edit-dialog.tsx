import { Dialog } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { words } from '../../words.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { UnsavedFormsScope } from './unsaved-forms.tsx';

interface EditDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form. The Escape key asks before it discards what was entered; the Cancel button does not ask. */
export function EditDialog({ title, onClose, children }: EditDialogProps) {
  const [forms] = useState(() => new Set<object>());
  const [isAsking, setAsking] = useState(false);
  const close = () => (forms.size > 0 ? setAsking(true) : onClose());
  return (
    // The browser would also give the Escape key of the question to this dialog.
    <Dialog title={title} onClose={isAsking ? undefined : close}>
      <UnsavedFormsScope forms={forms}>{children}</UnsavedFormsScope>
      {isAsking && <LeaveQuestion words={words.discard} onStay={() => setAsking(false)} onLeave={onClose} />}
    </Dialog>
  );
}
