import { titles } from '../titles.ts';

/** The words of the checklist for a new project. */
export const words = {
  title: titles.getStarted,
  description: 'From a new project to the first signed-in user. Each step checks itself.',
  done: 'Done',
  open: 'Not yet',
  keys: 'Create keys',
  keysText: 'Your app needs a publishable key. Servers also need a secret key.',
  keysDone: 'This project has valid keys. Create a new set if you have not stored them.',
  makeKeys: 'Create a set of keys',
  keysDescription: 'Created on the page “Get started”',
  keysShown: 'The code below holds the new keys. They are shown only now, so copy them before you leave this page.',
  code: 'Add the code',
  codeText: 'Choose what your app is made of.',
  codeWithoutKeys: 'Replace “…” with your keys, or create a set in step 1: the code then has them.',
  copyCode: (name: string) => `Copy ${name}`,
  app: 'Start your app',
  appText: 'Start the app with the new code. This page notices its first request by itself.',
  appDone: 'A request with a key of this project reached the server',
  mail: 'Send an email',
  mailText: 'A test email to your own address shows that users get codes, links and invitations.',
  mailDone: (address: string) => `The mail server accepted an email to ${address}`,
  mailCaught:
    'An installation in development without a mail server delivers nothing: its emails are in the mail catcher. Before you go live, set up a mail server.',
  mailFailed: 'The test email was not sent',
  mailNoAddress: 'Your account has no email address.',
  sendMail: (address: string) => `Send a test to ${address}`,
  openServer: 'Mail server',
  openCatcher: 'Mail catcher',
  domain: 'Trust your domain',
  domainText: (local: boolean) =>
    local
      ? 'Pages on localhost are trusted, so development works. Before you go live, add the domain of your app.'
      : 'Add the domain of your app, so that sign-in may lead back to it.',
  domainDone: (domains: string) => `Trusted: ${domains}`,
  domainLabel: 'Domain of your app',
  domainHint: 'With https:// and without a path, such as https://app.example.com.',
  domainWrong: 'Enter an address such as https://app.example.com.',
  addDomain: 'Add the domain',
  firstUser: 'Sign up once',
  firstUserText: 'Create an account in your app. This page notices it by itself.',
  firstUserDone: (name: string) => `${name} has an account.`,
  openUser: 'Open this user',
  frameworks: { react: 'React', next: 'Next.js', express: 'Express', fetch: 'fetch' },
} as const;
