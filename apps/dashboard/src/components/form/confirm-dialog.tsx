import { useActionGuard } from '@tessera/react';
import { Button, Field, Input } from '@tessera/ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { words } from '../../words.ts';
import { EditDialog } from './edit-dialog.tsx';
import { ActionFailure } from './form-failure.tsx';
import { showFailure } from './show-failure.ts';
import { isTyped, textToType } from './typed-text.ts';

interface ConfirmDialogProps {
  readonly title: string;
  /** What is destroyed, in plain words. */
  readonly children: ReactNode;
  /** The text of the button that destroys, e.g. "Delete 3 users". */
  readonly confirmLabel: string;
  /** `primary` for a change that destroys nothing. */
  readonly variant?: 'destructive' | 'primary';
  /** For an action that cannot be undone: the user types this name or number. Of a long name the beginning is enough. */
  readonly typedText?: string;
  /** The dialog stays open and shows the error when this is rejected; one that was closed meanwhile shows it in a message. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is destroyed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, variant = 'destructive', typedText, onConfirm, onClose } = props;
  const asked = typedText === undefined ? undefined : textToType(typedText);
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const guard = useActionGuard();

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    if (asked !== undefined && !isTyped(typed, asked)) return setMismatch(true);
    setBusy(true);
    setFailure(undefined);
    try {
      await guard(onConfirm);
      // Another dialog may be open in the place of a closed one.
      if (form.isConnected) onClose();
    } catch (error) {
      if (!form.isConnected) return showFailure(error);
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <EditDialog title={title} onClose={onClose}>
      <ActionFailure failure={failure} />
      <form
        noValidate
        className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5"
        onSubmit={event => void confirm(event)}
      >
        <div className="tss:grid tss:gap-3 tss:text-sm tss:text-muted-foreground">{children}</div>
        {asked !== undefined && (
          <Field
            className="tss:wrap-anywhere"
            label={words.confirm.type(asked)}
            error={mismatch && words.confirm.mismatch(asked)}
          >
            <Input
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={event => {
                setTyped(event.target.value);
                setMismatch(false);
              }}
            />
          </Field>
        )}
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {words.action.cancel}
          </Button>
          <Button type="submit" variant={variant} busy={isBusy}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </EditDialog>
  );
}
