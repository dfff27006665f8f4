/** The words about blocked sign-ins of a user. */
export const words = {
  title: 'Sign-in is blocked',
  text: (time: string, where: string) =>
    `Sign-in is blocked until ${time} after too many failed attempts ${where}. The right password is refused, too.`,
  networks: (count: number) => (count === 1 ? 'from one network' : `from ${count.toLocaleString('en')} networks`),
  unknownNetworks: 'from networks where the user has not signed in lately',
  hint: 'Ask the user first whether these attempts were theirs. If not, another person is guessing the password.',
  allow: 'Allow sign-in again',
  allowed: 'The user can sign in again',
} as const;
