import { Field, PasswordInput } from '@tessera/ui';
import type { ChangeEvent, ReactNode } from 'react';
import { useTranslate } from '../words/translate.tsx';
import type { FormField } from './use-guarded-form.ts';

interface PasswordFieldProps extends FormField {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  description?: ReactNode;
  /** A link at the end of the label's line. */
  action?: ReactNode;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** A password, with a button that shows it and a hint while caps lock is on. */
export function PasswordField({ name, error, label, autoComplete, description, action, onChange }: PasswordFieldProps) {
  const translate = useTranslate();

  return (
    <Field label={label} error={error} description={description} action={action}>
      <PasswordInput
        name={name}
        onChange={onChange}
        autoComplete={autoComplete}
        aria-required
        showLabel={translate('field.passwordShow')}
        hideLabel={translate('field.passwordHide')}
        capsLockHint={translate('field.capsLock')}
      />
    </Field>
  );
}
