import { PasswordStrength } from '@tessera/ui';
import { type ChangeEvent, useState } from 'react';
import { useTranslate } from '../words/translate.tsx';
import { PasswordField } from './password-field.tsx';
import { passwordLengths } from './password-rule.ts';
import type { FormField } from './use-guarded-form.ts';

interface NewPasswordFieldProps extends FormField {
  label: string;
  /** Words of the user, such as the address, which make a password easier to guess. */
  knownWords?: (form: HTMLFormElement) => readonly string[];
}

/**
 * A new password. Its hint is replaced by its strength, in the same line, when it is long enough. Renders at every key
 * press; the form around it does not.
 */
export function NewPasswordField({ knownWords, ...field }: NewPasswordFieldProps) {
  const translate = useTranslate();
  const [typed, setTyped] = useState<Typed>({ value: '', words: [] });
  const isShort = typed.value.length < passwordLengths.min_length;

  // An error, mostly with the same rule, takes the place of the hint.
  const hint = field.error === undefined ? translate('field.passwordHint', passwordLengths) : undefined;

  function read({ target }: ChangeEvent<HTMLInputElement>) {
    setTyped({ value: target.value, words: (target.form && knownWords?.(target.form)) ?? [] });
  }

  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      description={isShort ? hint : <Strength typed={typed} />}
      onChange={read}
    />
  );
}

interface Typed {
  readonly value: string;
  readonly words: readonly string[];
}

function Strength({ typed }: { typed: Typed }) {
  const translate = useTranslate();
  return (
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
  );
}
