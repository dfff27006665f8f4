import { Button } from '@tessera/ui';
import { words } from '../../words.ts';
import { ChangeButton } from './change-button.tsx';

interface DialogButtonsProps {
  /** The text of the button that submits the form. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly disabled?: boolean;
  readonly onClose: () => void;
}

/** The last line of a form in a dialog: cancel and submit. */
export function DialogButtons({ label, isBusy, disabled, onClose }: DialogButtonsProps) {
  return (
    <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
      <Button variant="secondary" onClick={onClose}>
        {words.action.cancel}
      </Button>
      <ChangeButton type="submit" busy={isBusy} disabled={disabled}>
        {label}
      </ChangeButton>
    </div>
  );
}
