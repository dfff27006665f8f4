import { Field, Input } from '@tessera/ui';
import { useTranslate } from '../words/translate.tsx';
import type { FormField } from './use-guarded-form.ts';

/** A recovery code, in the place of the code of an authenticator app. */
export function RecoveryCodeField({ name, error }: FormField) {
  const translate = useTranslate();

  return (
    <Field label={translate('recovery.field')} error={error}>
      <Input
        name={name}
        // The field or button that showed it is gone, and the focus with it.
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        dir="ltr"
        aria-required
        className="tss:font-mono"
      />
    </Field>
  );
}
