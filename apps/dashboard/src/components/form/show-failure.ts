import { problemWords } from '../../data/problem-words.ts';

/** Says in a message why a request failed. For a dialog that was closed meanwhile: its user would take it for done. */
export async function showFailure(error: unknown): Promise<void> {
  // With a static import the first page would load the code of toasts. A shell that could not load it shows none.
  const sonner = await import('sonner').catch(() => undefined);
  sonner?.toast.error(problemWords(error));
}
