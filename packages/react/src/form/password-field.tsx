import { Field, PasswordInput } from '@tessera/ui';
import type { ChangeEvent, ReactNode } from 'react';
import { useSay } from '../words/say.tsx';
import type { FormField } from './use-guarded-form.ts';

interface PasswordFieldProps extends FormField {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  description?: ReactNode;
  /** A link at the end of the label's line. */
  action?: ReactNode;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** A password, with a button to read it and a hint while caps lock is on. */
export function PasswordField({ name, error, label, autoComplete, description, action, onChange }: PasswordFieldProps) {
  const say = useSay();

  return (
    <Field label={label} error={error} description={description} action={action}>
      <PasswordInput
        name={name}
        onChange={onChange}
        autoComplete={autoComplete}
        dir="ltr"
        aria-required
        showLabel={say('field.passwordShow')}
        hideLabel={say('field.passwordHide')}
        capsLockHint={say('field.capsLock')}
      />
    </Field>
  );
}
