import { useSay } from '../words/say.tsx';
import type { WordKey } from '../words/words.ts';
import { passwordLengths } from './password-rule.ts';

/** Turns a rule that names its sentence into a validation that says it. */
export function useRule() {
  const say = useSay();

  return <Values>(problemOf: (value: string, values: Values) => WordKey | undefined) =>
    (value: string, values: Values): string | true => {
      const problem = problemOf(value, values);
      return problem === undefined ? true : say(problem, passwordLengths);
    };
}
