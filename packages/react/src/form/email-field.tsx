import { Field, Input } from '@tessera/ui';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useSay } from '../words/say.tsx';

interface EmailFieldProps {
  registration: UseFormRegisterReturn;
  error: string | undefined;
}

/** The address that one signs in with. Password managers know it as the user name. */
export function EmailField({ registration, error }: EmailFieldProps) {
  const say = useSay();

  return (
    <Field label={say('field.email')} error={error}>
      <Input
        {...registration}
        type="email"
        inputMode="email"
        autoComplete="username"
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
