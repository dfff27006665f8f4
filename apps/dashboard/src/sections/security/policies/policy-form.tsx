import type { ReactNode } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import type { Form } from '../../../components/form/use-form.ts';
import { words as common } from '../../../words.ts';

interface PolicyFormProps<Values extends object> {
  readonly form: Form<Values>;
  readonly children: ReactNode;
}

/** The form of a group of settings, with its failure and the button that saves. */
export function PolicyForm<Values extends object>({ form, children }: PolicyFormProps<Values>) {
  return (
    <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      {children}
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
