import { classNames } from '@tessera/ui';
import { type FormEvent, type ReactNode, useState } from 'react';
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
 * A form with its failure and the button that saves, which can be pressed once a field has changed. After a save the button
 * keeps the focus, which a disabled one would lose. The page is not left with unsaved changes without a question. A viewer
 * only reads its fields.
 */
export function SettingsForm<Values extends object>({ form, children }: SettingsFormProps<Values>) {
  useUnsaved(form.isChanged);
  const [hasFocus, setHasFocus] = useState(false);
  const isOff = !form.isChanged;
  const submit = (event: FormEvent<HTMLFormElement>) => (isOff ? event.preventDefault() : form.onSubmit(event));
  return (
    <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4" onSubmit={submit}>
      <FormFailure failure={form.failure} />
      <ChangeFields>{children}</ChangeFields>
      <ChangeButton
        type="submit"
        size="sm"
        className={classNames(
          'tss:justify-self-start',
          isOff && 'tss:aria-disabled:cursor-not-allowed tss:aria-disabled:opacity-50',
        )}
        busy={form.isBusy}
        disabled={isOff && !hasFocus}
        {...(isOff && hasFocus && { 'aria-disabled': true })}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
      >
        {common.action.save}
      </ChangeButton>
    </form>
  );
}
