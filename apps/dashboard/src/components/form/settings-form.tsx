import type { ReactNode } from 'react';
import { words as common } from '../../words.ts';
import { ChangeButton } from './change-button.tsx';
import { ChangeFields } from './change-fields.tsx';
import { FormFailure } from './form-failure.tsx';
import { useUnsaved } from './unsaved-forms.tsx';
import type { Form } from './use-form.ts';

interface SettingsFormProps<Values extends object> {
  readonly form: Form<Values>;
  readonly children: ReactNode;
}

/**
 * A form with its failure and the button that saves, which can be pressed once a field has changed. The page is not left with
 * unsaved changes without a question. A viewer only reads its fields.
 */
export function SettingsForm<Values extends object>({ form, children }: SettingsFormProps<Values>) {
  useUnsaved(form.isChanged);
  return (
    <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      <ChangeFields>{children}</ChangeFields>
      <ChangeButton
        type="submit"
        size="sm"
        className="tss:justify-self-start"
        busy={form.isBusy}
        disabled={!form.isChanged}
      >
        {common.action.save}
      </ChangeButton>
    </form>
  );
}
