import type { TemplateType } from '../queries.ts';

/** The words of the email templates. */
export const words = {
  hint: 'The emails that users get from this project. A template that you have not changed follows the built-in text.',
  type: {
    email_verification: 'Verify an address',
    password_reset: 'Reset a password',
    magic_link: 'Sign in by code or link',
    team_invitation: 'Invitation to a team',
    sign_in_invitation: 'Invitation to sign in',
  } satisfies Record<TemplateType, string>,
  about: {
    email_verification: 'After sign-up, and when a user adds an address.',
    password_reset: 'When a user forgot the password.',
    magic_link: 'When a user signs in by email.',
    team_invitation: 'When a member invites an address to a team.',
    sign_in_invitation: 'When you invite a person to the project.',
  } satisfies Record<TemplateType, string>,
  builtIn: 'Built-in',
  changed: 'Changed',
  back: 'All templates',
  shared: 'You can change the templates once the project sends email through a server of its own.',
  openServer: 'Set up a mail server',
  save: 'Save the template',
  saved: 'The template was saved',
  unsaved: 'Unsaved changes',
  takenTitle: 'This template has changed',
  takenText:
    'Another admin has changed it since you opened this page. Your version would replace theirs. If you cancel, your changes stay in the editor.',
  openStored: 'Open the stored version in a new tab',
  replace: 'Replace it',
  reset: 'Reset to the built-in text',
  resetTitle: 'Reset this template?',
  resetText: 'The text of the project is deleted. Emails have the built-in text again.',
  wasReset: 'The template has the built-in text again',
  test: 'Send a test to me',
  testSent: (address: string) => `The mail server accepted the test email to ${address}`,
  testFailed: (reason: string) => `The test email was not sent: ${reason}`,
  noAddress: 'Your account has no email address.',
  unreadable: 'The blocks of this template can only be shown as source. Reset it to use the editor.',
  notFound: 'There is no such template',
  notFoundText: 'The address is wrong.',
} as const;
