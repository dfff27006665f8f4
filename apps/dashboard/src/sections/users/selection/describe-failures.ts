import { toast } from 'sonner';
import { problemWords } from '../../../data/problem-words.ts';
import type { UserFailure } from './each-user.ts';
import { selectionWords } from './selection-words.ts';

/** A toast has room for a few names. */
const shownNames = 3;

/** Shows in the toast of the progress what failed. It stays until it is closed: it names the users who are left. */
export function reportFailures(title: string, id: string | number, description: string): void {
  toast.error(title, { id, description, duration: Number.POSITIVE_INFINITY });
}

/** Each reason once, with the users whom it concerns: most often all changes fail for the same one. */
export function describeFailures(failures: readonly UserFailure[], nameOf: (id: string) => string): string {
  const reasons = [...new Set(failures.map(({ error }) => problemWords(error)))];
  return reasons
    .map(reason => {
      const names = failures.filter(({ error }) => problemWords(error) === reason).map(({ id }) => nameOf(id));
      return selectionWords.failed(names.slice(0, shownNames), names.length, reason);
    })
    .join(' ');
}
