import { errorWords } from '../words/error-words.ts';
import type { Translate } from '../words/words.ts';
import type { SignInField, SignInProblem } from './machine.ts';

/** For forms: the field that an action was refused for, with the text; undefined after success. @throws other errors. */
export function refusalOf<Field extends SignInField>(
  problem: SignInProblem | undefined,
  translate: Translate,
): { readonly field: Field; readonly message: string } | undefined {
  if (problem === undefined) return undefined;
  if (problem.field === undefined) throw problem.error;
  return { field: problem.field as Field, message: errorWords(problem.error, translate) };
}
