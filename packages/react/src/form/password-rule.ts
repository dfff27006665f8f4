import { passwordMaxLength, passwordMinLength } from '@tessera/client/internals';
import type { WordKey } from '../words/words.ts';

/**
 * Lengths of a password in UTF-16 units (docs/contract/handler-pages.md#conventions). The server checks them too and
 * decides, so the texts are those of its errors, with the names of their details.
 */
export const passwordLengths = { min_length: passwordMinLength, maxLength: passwordMaxLength } as const;

/** The problem of a password for sign-in, or undefined: only its presence and the maximum length. */
export function passwordProblem(password: string): WordKey | undefined {
  if (password === '') return 'invalid.passwordMissing';
  return password.length > passwordLengths.maxLength ? 'error.PASSWORD_TOO_LONG' : undefined;
}

/** The problem of a new password, or undefined. */
export function newPasswordProblem(password: string): WordKey | undefined {
  if (password === '') return 'invalid.passwordChoose';
  if (password.length < passwordLengths.min_length) return 'error.PASSWORD_TOO_SHORT';
  return password.length > passwordLengths.maxLength ? 'error.PASSWORD_TOO_LONG' : undefined;
}

/** The problem of the repeated new password, or undefined: a rule of a form whose new password is in the field `password`. */
export function repeatRule(repeat: string, { password }: { readonly password: string }): WordKey | undefined {
  if (repeat === '') return 'invalid.repeatMissing';
  return repeat === password ? undefined : 'invalid.repeatDiffers';
}
