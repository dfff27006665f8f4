import { FormSummary } from '@tessera/ui';
import { problemWords } from '../../data/problem-words.ts';
import { words } from '../../words.ts';

/** Why a form was not saved; nothing while there is no failure. */
export function FormFailure({ failure }: { readonly failure: unknown }) {
  if (failure === undefined) return null;
  return <FormSummary title={problemWords(failure)}>{words.form.failed}</FormSummary>;
}
