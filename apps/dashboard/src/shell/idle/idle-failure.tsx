import { Dialog, FormSummary } from '@tessera/ui';
import { problemWords } from '../../data/problem-words.ts';
import { words } from '../../words.ts';

/** Why an idle session has not ended yet. It covers the page, whose user may have left, and cannot be closed. */
export function IdleFailure({ error }: { readonly error: unknown }) {
  return (
    <Dialog title={words.idle.failed}>
      <FormSummary title={problemWords(error)}>{words.idle.failedText}</FormSummary>
    </Dialog>
  );
}
