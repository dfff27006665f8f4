import { Field, Input } from '@tessera/ui';
import type { ReactNode } from 'react';
import { useTranslate } from '../words/translate.tsx';
import type { FormField } from './use-guarded-form.ts';

interface CodeFieldProps extends FormField {
  label: string;
  description?: ReactNode;
  inputMode?: 'numeric';
  autoFocus?: boolean;
  autoComplete?: 'off';
  autoCapitalize?: 'none';
}

/** A field for a code that a page shows beside other fields, or that has more than six characters. */
export function CodeField({ label, error, description, ...input }: CodeFieldProps) {
  return (
    <Field label={label} error={error} description={description}>
      <Input
        autoComplete="one-time-code"
        autoCapitalize="characters"
        {...input}
        autoCorrect="off"
        spellCheck={false}
        dir="ltr"
        aria-required
      />
    </Field>
  );
}

/** A recovery code, in the place of a code from an authenticator app. */
export function RecoveryCodeField(field: FormField) {
  const translate = useTranslate();
  // The field or button that showed it is gone, and the focus with it.
  return (
    <CodeField {...field} label={translate('recovery.field')} autoFocus autoComplete="off" autoCapitalize="none" />
  );
}
