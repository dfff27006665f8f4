import { FormSummary } from '@tessera/ui';
import { isRefused, problemWords } from '../../data/problem-words.ts';
import { words } from '../../words.ts';

/** Why an action that saves nothing failed; nothing while there is no failure. */
export function ActionFailure({ failure }: { readonly failure: unknown }) {
  return failure === undefined ? null : <FormSummary title={problemWords(failure)} />;
}

/** Why a form was not saved; nothing while there is no failure. A lost answer or a fault says nothing about the change. */
export function FormFailure({ failure }: { readonly failure: unknown }) {
  if (failure === undefined) return null;
  return (
    <FormSummary title={problemWords(failure)}>{isRefused(failure) ? words.form.failed : words.form.kept}</FormSummary>
  );
}
