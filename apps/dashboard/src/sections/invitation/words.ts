/** The words of the page behind an invitation to manage a project. */
export const words = {
  title: (project: string) => `Join ${project}`,
  pageTitle: 'Invitation',
  asRole: {
    admin: 'You are invited as an admin: you can change everything except members, transfer and deletion.',
    viewer: 'You are invited as a viewer: you can read everything except secrets and emails.',
  },
  invited: 'Invited address:',
  signedInAs: 'You are signed in as',
  accept: 'Accept the invitation',
  signIn: 'Sign in to accept',
  hasAccount: 'This address has an account. Sign in, then accept the invitation.',
  name: 'Your name',
  password: 'Password',
  passwordHint: 'At least 8 characters. Unrelated words work well.',
  passwordShort: 'Use at least 8 characters.',
  create: 'Create the account and accept',
  invalidTitle: 'This invitation cannot be used',
  noCodeText: 'The link is incomplete. Copy the whole link from the email, with the part behind the # sign.',
  home: 'Go to your projects',
} as const;
