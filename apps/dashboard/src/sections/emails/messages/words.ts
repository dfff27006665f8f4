import type { DraftProblem } from './draft-check.ts';

const count = (users: number) => (users === 1 ? '1 user' : `${users.toLocaleString('en')} users`);

/** The words of the messages to users. */
export const words = {
  hint: 'News, changes of your terms, a warning: one email to many users. They are queued, and each user gets one copy.',
  compose: 'Write a message',
  empty: 'No message yet',
  emptyText: 'Write to all users, to a team, or to the users that fit a filter. Users who unsubscribed get no copy.',
  state: { sending: 'Queueing', sent: 'Sent', canceled: 'Canceled' },
  progress: (accepted: number, recipients: number) =>
    `${accepted.toLocaleString('en')} of ${recipients.toLocaleString('en')} accepted`,
  back: 'All messages',
  newTitle: 'New message',
  newDescription: 'Nothing is sent before you confirm the number of users.',
  shared: 'Messages to users need a mail server of the project.',
  openServer: 'Set up a mail server',
  audience: 'Who gets it',
  audienceType: 'Audience',
  audiences: { all: 'All users', team: 'A team', filter: 'Users who fit a filter', users: 'Chosen users' },
  team: 'Team',
  verified: 'Address',
  verifiedChoices: { any: 'Any', yes: 'Verified', no: 'Not verified' },
  signedUpFrom: 'Signed up on or after',
  signedUpTo: 'Signed up before',
  activeFrom: 'Active on or after',
  activeTo: 'Not active since',
  userIds: 'User ids',
  userIdsHint: 'One id in each line, at most 1,000. The page of a user shows the id.',
  category: 'Category',
  categories: {
    Marketing: 'Marketing: with an unsubscribe link',
    Transactional: 'Transactional: for what every user must know',
  },
  counting: 'Counting',
  reaches: (users: number) => `Reaches ${count(users)}`,
  without: (users: number) => `${count(users)} without an email address`,
  unsubscribed: (users: number) => `${count(users)} who unsubscribed`,
  incomplete: 'Complete the audience to see how many users it reaches.',
  send: 'Send',
  sendTo: (users: number) => `Send to ${count(users)}`,
  confirmTitle: (users: number) => `Send this message to ${count(users)}?`,
  confirmText:
    'Copies that a mail server has accepted cannot be called back. A message that is queueing can be canceled.',
  problem: {
    needsSubject: 'Enter a subject.',
    needsBlock: 'Add a block.',
    needsContent: 'All blocks are empty. Enter a text.',
    brokenSubject: 'The subject has a broken placeholder. A variable is written {{name}}.',
    brokenContent: 'A block has a broken placeholder. A variable is written {{name}}.',
  } satisfies Record<DraftProblem, string>,
  unknownVariables: (names: readonly string[]) =>
    `${names.length === 1 ? 'This variable is' : 'These variables are'} not known and stay empty in each copy: ${names
      .map(name => `{{${name}}}`)
      .join(', ')}`,
  started: 'The message is being sent',
  progressTitle: 'Progress',
  recipients: 'Recipients',
  queued: 'Queued',
  waiting: 'In the queue',
  accepted: 'Accepted by the mail server',
  failed: 'Failed',
  sentBy: 'Sent by',
  you: 'you',
  actor: { owner: 'an owner', admin_key: 'an admin key' } as Readonly<Record<string, string>>,
  sentAt: 'Created',
  openLog: 'Open the deliveries in the log',
  cancel: 'Cancel the message',
  cancelTitle: 'Cancel this message?',
  cancelText: 'Copies that were not sent yet are removed from the queue.',
  canceled: 'The message was canceled',
  text: 'Text',
} as const;
