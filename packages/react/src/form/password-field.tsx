import { Field, PasswordInput } from '@tessera/ui';
import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useSay } from '../words/say.tsx';

interface PasswordFieldProps {
  registration: UseFormRegisterReturn;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  error: string | undefined;
  description?: ReactNode;
  /** Stands below the control, such as a meter. */
  children?: ReactNode;
}

/** A password, with a button to read it and a hint while caps lock is on. */
export function PasswordField({ registration, label, autoComplete, error, description, children }: PasswordFieldProps) {
  const say = useSay();

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <Field label={label} error={error} description={description}>
        <PasswordInput
          {...registration}
          autoComplete={autoComplete}
          dir="ltr"
          aria-required
          showLabel={say('field.passwordShow')}
          hideLabel={say('field.passwordHide')}
          capsLockHint={say('field.capsLock')}
        />
      </Field>
      {children}
    </div>
  );
}
