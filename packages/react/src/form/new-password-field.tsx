import { PasswordStrength } from '@tessera/ui';
import { useState } from 'react';
import { useTranslate } from '../words/translate.tsx';
import { PasswordField } from './password-field.tsx';
import { passwordLengths } from './password-rule.ts';
import type { FormField } from './use-guarded-form.ts';

interface NewPasswordFieldProps extends FormField {
  label: string;
  /** Words of the user, such as the address, which make a password easier to guess. */
  knownWords?: (form: HTMLFormElement) => readonly string[];
}

/** A new password with its strength. Renders at every key press; the form around it does not. */
export function NewPasswordField({ knownWords, ...field }: NewPasswordFieldProps) {
  const translate = useTranslate();
  const [typed, setTyped] = useState<{ value: string; words: readonly string[] }>({ value: '', words: [] });

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <PasswordField
        {...field}
        autoComplete="new-password"
        description={translate('field.passwordHint', passwordLengths)}
        onChange={({ target }) =>
          setTyped({ value: target.value, words: (target.form && knownWords?.(target.form)) ?? [] })
        }
      />
      <PasswordStrength
        value={typed.value}
        knownWords={typed.words}
        label={translate('strength.label')}
        levelLabels={{
          0: translate('strength.0'),
          1: translate('strength.1'),
          2: translate('strength.2'),
          3: translate('strength.3'),
          4: translate('strength.4'),
        }}
      />
    </div>
  );
}
