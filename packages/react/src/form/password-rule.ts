import type { WordKey } from '../words/words.ts';

/**
 * Lengths of a password in UTF-16 units (docs/contract/handler-pages.md#conventions). The server knows them too and
 * has the last word.
 */
export const passwordLengths = { min: 8, max: 70 } as const;

/** What is wrong with a password that signs in, or undefined: only its presence and the most that the server reads. */
export function passwordProblem(password: string): WordKey | undefined {
  if (password === '') return 'invalid.passwordMissing';
  return password.length > passwordLengths.max ? 'invalid.passwordLong' : undefined;
}

/** What is wrong with a new password, or undefined. */
export function newPasswordProblem(password: string): WordKey | undefined {
  if (password === '') return 'invalid.passwordChoose';
  if (password.length < passwordLengths.min) return 'invalid.passwordShort';
  return password.length > passwordLengths.max ? 'invalid.passwordLong' : undefined;
}

/** What is wrong with the repetition of a new password, or undefined. */
export function repeatProblem(password: string, repeat: string): WordKey | undefined {
  if (repeat === '') return 'invalid.repeatMissing';
  return repeat === password ? undefined : 'invalid.repeatDiffers';
}

/** The same for the field `repeat` of a form whose new password is in the field `password`. */
export function repeatRule(repeat: string, { password }: { readonly password: string }): WordKey | undefined {
  return repeatProblem(password, repeat);
}
