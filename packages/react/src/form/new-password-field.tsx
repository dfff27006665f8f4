import { PasswordStrength } from '@tessera/ui';
import { useState } from 'react';
import { useSay } from '../words/say.tsx';
import { PasswordField } from './password-field.tsx';
import { passwordLengths } from './password-rule.ts';
import type { FormField } from './use-guarded-form.ts';

interface NewPasswordFieldProps extends FormField {
  label: string;
  /** Words of the person, such as the address, which make a password easier to guess. */
  knownWords?: (form: HTMLFormElement) => readonly string[];
}

/** A password that is being chosen, and how hard it is to guess. Renders at every key; the form around it need not. */
export function NewPasswordField({ knownWords, ...field }: NewPasswordFieldProps) {
  const say = useSay();
  const [typed, setTyped] = useState<{ value: string; words: readonly string[] }>({ value: '', words: [] });

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <PasswordField
        {...field}
        autoComplete="new-password"
        description={say('field.passwordHint', passwordLengths)}
        onChange={({ target }) =>
          setTyped({ value: target.value, words: (target.form && knownWords?.(target.form)) ?? [] })
        }
      />
      <PasswordStrength
        value={typed.value}
        knownWords={typed.words}
        label={say('strength.label')}
        levelLabels={{
          0: say('strength.0'),
          1: say('strength.1'),
          2: say('strength.2'),
          3: say('strength.3'),
          4: say('strength.4'),
        }}
      />
    </div>
  );
}
