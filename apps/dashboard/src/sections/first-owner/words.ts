/** The words of the page behind the one-time link of a new installation. */
export const words = {
  title: 'Create the owner account',
  description: 'This link works once. The account that you create here owns this installation and its projects.',
  email: 'Email address',
  password: 'Password',
  passwordHint: 'At least 8 characters. Unrelated words work well.',
  passwordShort: 'Use at least 8 characters.',
  create: 'Create the account',
  ownedTitle: 'This installation has an owner',
  ownedText:
    'The link has been used, so it creates no other account. An owner can add you to a project under its settings.',
  signIn: 'Sign in',
  noCodeTitle: 'This link is incomplete',
  noCodeText: 'Copy the whole link from the log of the server, with the part behind the # sign.',
} as const;
