import { PasswordInput, type PasswordInputProps } from '@tessera/ui';
import { words } from '../../words.ts';

/** The input of a password or key, in the words of the dashboard. */
export function SecretInput(props: Omit<PasswordInputProps, 'showLabel' | 'hideLabel'>) {
  return <PasswordInput showLabel={words.secret.reveal} hideLabel={words.secret.hide} {...props} />;
}
