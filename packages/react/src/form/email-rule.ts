import { isEmail } from '@tessera/ui';
import type { WordKey } from '../words/words.ts';

/** The problem of a typed email address, or undefined. */
export function emailProblem(typed: string): WordKey | undefined {
  if (typed.trim() === '') return 'invalid.emailMissing';
  return isEmail(typed) ? undefined : 'invalid.email';
}
