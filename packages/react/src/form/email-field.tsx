import { Field, Input } from '@tessera/ui';
import type { ChangeEvent, ReactNode } from 'react';
import { useTranslate } from '../words/translate.tsx';
import type { FormField } from './use-guarded-form.ts';

interface EmailFieldProps extends FormField {
  /** Default: "Email". */
  label?: string;
  /** Default `username`: the address that one signs in with, as password managers know it. */
  autoComplete?: string | undefined;
  defaultValue?: string;
  description?: ReactNode;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** An e-mail address. */
export function EmailField({ error, label, description, autoComplete = 'username', ...input }: EmailFieldProps) {
  const translate = useTranslate();

  return (
    <Field label={label ?? translate('field.email')} error={error} description={description}>
      <Input
        {...input}
        type="email"
        inputMode="email"
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        // Addresses are read from left to right in every language.
        dir="ltr"
        aria-required
      />
    </Field>
  );
}
