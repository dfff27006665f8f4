import { errorWords } from './error-words.ts';
import { useAskedLanguage } from './translate.tsx';

/**
 * The text of an error in the language of the provider, as our own pages show it. For pages of your own.
 * Suspends while the language loads.
 *
 * @example
 * const { state } = useSignIn();
 * const errorText = useErrorText();
 * if (state.step !== 'start' || !state.problem) return null;
 * return <p role="alert">{errorText(state.problem.error)}</p>;
 */
export function useErrorText(): (error: unknown) => string {
  const { translate } = useAskedLanguage();
  return error => errorWords(error, translate);
}
