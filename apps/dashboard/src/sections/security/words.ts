import { countOf } from '../count-of.ts';
import { titles } from '../titles.ts';

/** The words of the security settings. */
export const words = {
  title: titles.security,
  description: 'Rules for passwords, sessions and sign-in, and what they refused.',
  undo: 'Undo',
  saved: 'Saved',
  undone: 'The setting is as it was',
  passwords: {
    title: 'Passwords',
    description: 'Common passwords, and those that contain the name or the address of the user.',
    label: 'Weak new passwords',
    byMode: 'Refuse them in production mode',
    refuse: 'Always refuse them',
    accept: 'Accept them',
  },
  passkeys: {
    title: 'Passkeys',
    label: 'A passkey is both factors',
    description:
      'A passkey that verified its user, by fingerprint or PIN, signs in without the code of an authenticator app.',
  },
  verification: {
    title: 'Email verification',
    label: 'Ask for a code after sign-up',
    description:
      'The verification email of a sign-up with a password also has a code, and the sign-up page asks for it. A template of your own needs the variable {{otp}}.',
  },
  sessions: {
    title: 'Sessions',
    description: 'How long a user stays signed in. New sessions get the new lifetimes.',
    lifetime: 'Longest lifetime',
    lifetimeDefault: (days: string) => `${days}, the default`,
    idle: 'Ends when it is unused for',
    idleDefault: 'No limit, the default',
    fresh: 'A sensitive change needs a sign-in within',
    freshHint: 'For a new password, passkey, address or authenticator app, and for deletion of the account.',
    anyAge: 'Any age',
    rotates: 'Replace the refresh token at each refresh. Use of a replaced token ends the session.',
  },
  deletion: {
    title: 'Account deletion',
    description:
      'Users who delete their own account can sign in and keep it for this time. Their API keys stop at once. Deletions that are scheduled keep their date.',
    label: 'A deleted account can be kept for',
    atOnce: 'No time: it is deleted at once',
  },
  notices: {
    title: 'Sign-in notices',
    label: 'Email about sign-ins from new devices',
    description: 'It goes to the verified primary address of the user.',
  },
  invitations: {
    title: 'Team invitations',
    label: 'Only the invited address can accept',
    description: 'The user needs the invited address, verified. Otherwise any user with the link joins the team.',
  },
  retention: {
    title: 'Audit log',
    description: 'Older events are deleted.',
    label: 'Keep events for',
    default: (days: string) => `${days}, the default`,
  },
  limits: {
    title: 'Limits',
    description:
      'Empty fields have the default. Emails above the limit of the project wait. Everything else is refused until the time is over.',
    failedSignInsPerAccount: 'Failed sign-ins for each account, in 15 minutes',
    failedSignInsPerAddress: 'Failed sign-ins from each IP address, in 15 minutes',
    signUpsPerAddress: 'Sign-ups from each IP address, in an hour',
    emailsPerRecipient: 'Emails to each recipient, in an hour',
    emailsPerAddress: 'Emails that each IP address causes, in an hour',
    emailsPerProject: 'Emails of the project, in an hour',
    default: (count: number) => `${count.toLocaleString('en')}, the default`,
    wrong: 'Enter a whole number from 1 to 1,000,000, or nothing.',
  },
  failures: {
    title: 'Failed sign-ins',
    description:
      'IP addresses with the most failed sign-ins in the last 24 hours. Repetitions are added every 15 minutes.',
    empty: 'No sign-in failed in the last 24 hours.',
    all: 'Show them in the audit log',
    unknownAddress: 'Unknown IP address',
    times: (count: number) => `${count.toLocaleString('en')} failed`,
    accounts: (count: number) => (count === 0 ? 'no known account' : countOf(count, 'account')),
    partial: (count: number) => `Of the newest ${count.toLocaleString('en')} entries of the log.`,
  },
  blocked: {
    title: 'Blocked requests',
    description: 'Requests that a rate limit refused in the last 24 hours. Repetitions are added every 15 minutes.',
    empty: 'No limit was reached in the last 24 hours.',
    times: (count: number) => `${count.toLocaleString('en')} refused`,
    addresses: (count: number) => (count === 0 ? 'no known IP address' : countOf(count, 'IP address', 'IP addresses')),
  },
  keys: {
    title: 'Signing keys',
    description: 'Access tokens are signed with a key of this project. Apps verify them with its public part.',
    last: 'Last rotation:',
    rotate: 'Rotate the signing keys',
    rotateTitle: 'Rotate the signing keys?',
    rotateText:
      'New access tokens are signed with the next key, which is published already. Tokens of the current key stay valid until they expire. No user is signed out.',
    rotated: 'The signing keys were rotated',
    current: 'Id of the current key',
    copy: 'Copy the key id',
  },
  duration: {
    minutes: (count: number) => countOf(count, 'minute'),
    hours: (count: number) => countOf(count, 'hour'),
    days: (count: number) => countOf(count, 'day'),
  },
} as const;
