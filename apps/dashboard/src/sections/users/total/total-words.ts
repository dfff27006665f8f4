const users = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`);

/** The words of the number of users. */
export const totalWords = {
  total: users,
  matching: (matches: number, total: number) =>
    `${matches.toLocaleString('en')} of ${users(total)} ${matches === 1 ? 'matches' : 'match'}`,
} as const;
