/** The words of creating a user. */
export const createWords = {
  title: 'Create a user',
  emailVerified: 'The address is verified',
  verifiedHint: 'You vouch that it belongs to this user. Emails with codes and links can sign them in.',
  unverifiedHint:
    'The user cannot sign in by email code until the address is verified. With a password they can sign in and verify it.',
  passwordHint: 'Leave it empty for a user who signs in by email code or provider.',
  passwordNeedsEmail: 'A password needs an email address to sign in with.',
  needsOne: 'Enter a name or an email address.',
  created: (name: string) => `${name} was created`,
} as const;
