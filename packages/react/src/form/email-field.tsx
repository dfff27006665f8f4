import { Field, Input } from '@tessera/ui';
import type { ChangeEvent, ReactNode } from 'react';
import { useTranslate } from '../words/translate.tsx';
import type { FormField } from './use-guarded-form.ts';

interface EmailFieldProps extends Omit<FormField, 'error'> {
  error?: ReactNode;
  /** Default: "Email". */
  label?: string;
  /** Default `username`: password managers then treat the address as the sign-in name. */
  autoComplete?: string | undefined;
  defaultValue?: string;
  description?: ReactNode;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** An email address. */
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
        // Addresses are written from left to right in every language.
        dir="ltr"
        aria-required
      />
    </Field>
  );
}
