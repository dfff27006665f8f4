import { isKnownError } from '@tessera/client/internals';
import { FormSummary } from '@tessera/ui';
import { errorWords } from '../words/error-words.ts';
import { useTranslate } from '../words/translate.tsx';

/** Why a submit failed. The text of an error code says what to do; after another failure the same input can be sent again. */
export function FormFailure({ of }: { of: unknown }) {
  const translate = useTranslate();
  if (of === undefined) return null;
  return (
    <FormSummary title={errorWords(of, translate)}>{isKnownError(of) ? undefined : translate('form.kept')}</FormSummary>
  );
}
