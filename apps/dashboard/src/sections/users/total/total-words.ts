import { countOf } from '../../count-of.ts';

/** The loaded users that match a filter. */
export interface Matches {
  readonly count: number;
  /** Whether there are no more pages. */
  readonly isComplete: boolean;
}

const users = (count: number) => countOf(count, 'user');

/** The words of the number of users. */
export const totalWords = {
  total: users,
  matching: ({ count, isComplete }: Matches, total: number) =>
    `${isComplete ? '' : 'At least '}${count.toLocaleString('en')} of ${users(total)} ${count === 1 ? 'matches' : 'match'}`,
} as const;
