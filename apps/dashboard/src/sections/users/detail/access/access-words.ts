/** The words of links and impersonations. */
export const accessWords = {
  title: 'Access on behalf of this user',
  description: 'A link opens this account: deliver it only to the user. Each one is in the audit log.',
  suspended: 'Until the suspension ends, sign-in links and “Act as this user” are refused.',
  impersonate: 'Act as this user',
  page: 'Page of your app',
  localhost: 'This machine (localhost)',
  port: 'Port of your app',
  portWrong: 'Enter a number from 1 to 65535.',
  noDomain: 'Add a trusted domain or allow localhost to create links.',
  signIn: 'Create a sign-in link',
  reset: 'Create a reset link',
  link: 'The link',
  copy: 'Copy the link',
  expires: 'It works once and expires',
} as const;
