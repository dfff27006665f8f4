import { toast } from 'sonner';
import { problemWords, reasonWords } from '../../../data/problem-words.ts';
import type { UserFailure } from './each-user.ts';
import { selectionWords } from './selection-words.ts';

/** A toast has room for a few names. */
const shownNames = 3;

/** Shows in the toast of the progress what failed. It stays until it is closed: it names the users who are left. */
export function reportFailures(title: string, id: string | number, description: string): void {
  toast.error(title, { id, description, duration: Number.POSITIVE_INFINITY });
}

/** Each reason once, with the users whom it concerns and one trace id: most often all changes fail for the same one. */
export function describeFailures(failures: readonly UserFailure[], nameOf: (id: string) => string): string {
  const reasons = new Set(failures.map(({ error }) => reasonWords(error)));
  return [...reasons]
    .map(reason => {
      const alike = failures.filter(({ error }) => reasonWords(error) === reason);
      const names = alike.slice(0, shownNames).map(({ id }) => nameOf(id));
      return selectionWords.failed(names, alike.length, problemWords(alike[0]?.error));
    })
    .join(' ');
}
