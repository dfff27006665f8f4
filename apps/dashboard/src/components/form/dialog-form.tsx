import { Button, type ButtonVariant } from '@tessera/ui';
import type { ReactNode } from 'react';
import { words } from '../../words.ts';
import { ChangeButton } from './change-button.tsx';
import { FormFailure } from './form-failure.tsx';
import { useUnsaved } from './unsaved-forms.tsx';
import type { Form } from './use-form.ts';

interface DialogFormProps<Values extends object> {
  readonly form: Form<Values>;
  /** The text of the button that submits the form. */
  readonly label: string;
  /** Default: `primary`. */
  readonly variant?: ButtonVariant;
  readonly disabled?: boolean;
  /** Why the form was not saved. Default: the words of its failure. */
  readonly failure?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A form in a dialog, with its failure and the buttons that cancel and submit. The page is not left with a form that is filled
 * in without a question.
 */
export function DialogForm<Values extends object>(props: DialogFormProps<Values>) {
  const { form, label, variant, disabled, failure, onClose, children } = props;
  useUnsaved(form.isChanged);
  return (
    <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5" onSubmit={form.onSubmit}>
      {failure ?? <FormFailure failure={form.failure} />}
      {children}
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        <Button variant="secondary" onClick={onClose}>
          {words.action.cancel}
        </Button>
        <ChangeButton type="submit" variant={variant} busy={form.isBusy} disabled={disabled}>
          {label}
        </ChangeButton>
      </div>
    </form>
  );
}
