import type { WordKey } from '../words/words.ts';

/** The problem of a typed code, or undefined: only its presence. */
export function codeProblem(code: string): WordKey | undefined {
  return code.trim() === '' ? 'invalid.codeMissing' : undefined;
}
