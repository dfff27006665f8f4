import type { AccountNoticeTemplate } from '../queue/index.ts';
import { button, divider, document, heading, note, text } from './block-builders.ts';
import type { MailTemplate } from './mail-template.ts';

interface NoticeWords {
  /** The subject before `at {{projectDisplayName}}`, and the heading. */
  readonly what: string;
  readonly sentence: string;
  /** Default: `what`, at the project. */
  readonly subject?: string;
  /** The button; null for none. Default: the account page. */
  readonly action?: { readonly text: string; readonly link: string } | null;
  /** What to do. Default: what protects an account that another person has changed. */
  readonly advice?: string;
  /** What keeps letting another person in after the default advice is followed, and comes first in it. */
  readonly remove?: string;
}

/** Sent to the owner of an account after a change of its sign-in methods, or a sign-in from a new device (control 68). */
const words: Readonly<Record<AccountNoticeTemplate, NoticeWords>> = {
  new_device_sign_in: {
    what: 'New sign-in',
    sentence: 'Your account at {{projectDisplayName}} was used to sign in on a new device.',
  },
  account_deletion_scheduled: {
    what: 'Your account will be deleted',
    subject: 'Your account at {{projectDisplayName}} will be deleted',
    sentence:
      'Your account at {{projectDisplayName}} will be deleted on {{deletesAt}}. Until then, you can sign in and keep it.',
    action: { text: 'Keep my account', link: '{{keepLink}}' },
    advice:
      'If you asked for this, you don’t need to do anything. If you didn’t, someone else may have access to your account: sign in, keep your account, and change your password.',
  },
  account_deletion_canceled: {
    what: 'Your account stays',
    subject: 'Your account at {{projectDisplayName}} stays',
    sentence: 'The deletion of your account at {{projectDisplayName}} was canceled. Nothing is lost.',
  },
  account_deleted: {
    what: 'Goodbye',
    subject: 'Your account at {{projectDisplayName}} has been deleted',
    sentence: 'Your account at {{projectDisplayName}} has been deleted. Thank you for being with us.',
    action: null,
    advice: 'If you didn’t ask for this, contact {{projectDisplayName}}.',
  },
  password_added: {
    what: 'A password was added',
    sentence: 'Your account at {{projectDisplayName}} now has a password.',
  },
  password_changed: {
    what: 'Your password was changed',
    sentence: 'The password of your account at {{projectDisplayName}} was changed.',
  },
  password_removed: {
    what: 'Your password was removed',
    sentence: 'The password of your account at {{projectDisplayName}} was removed. It no longer signs you in.',
  },
  passkey_added: {
    what: 'A passkey was added',
    sentence: 'A new passkey signs in to your account at {{projectDisplayName}}.',
    remove: 'remove the passkey',
  },
  passkey_removed: {
    what: 'A passkey was removed',
    sentence: 'A passkey of your account at {{projectDisplayName}} was removed. It no longer signs you in.',
  },
  passkeys_removed: {
    what: 'Your passkeys were removed',
    sentence: 'The passkeys of your account at {{projectDisplayName}} were removed. They no longer sign you in.',
  },
  totp_switched_on: {
    what: 'Two-step verification was turned on',
    sentence:
      'Your account at {{projectDisplayName}} now asks for a code from your authenticator app when you sign in.',
  },
  totp_switched_off: {
    what: 'Two-step verification was turned off',
    sentence:
      'Your account at {{projectDisplayName}} no longer asks for a code from your authenticator app when you sign in.',
  },
  email_code_switched_off: {
    what: 'Sign-in by email code was turned off',
    sentence: 'Your account at {{projectDisplayName}} no longer gets codes and links by email to sign in.',
  },
  recovery_codes_created: {
    what: 'New recovery codes were created',
    sentence: 'Your account at {{projectDisplayName}} has new recovery codes. Earlier ones no longer work.',
  },
  recovery_code_used: {
    what: 'A recovery code was used',
    sentence:
      'A recovery code signed in to your account at {{projectDisplayName}}. Recovery codes left: {{remainingCount}}.',
  },
  sign_in_address_added: {
    what: 'A sign-in address was added',
    sentence: 'The address {{changedAddress}} can now be used to sign in to your account at {{projectDisplayName}}.',
    remove: 'remove the address',
  },
  sign_in_address_removed: {
    what: 'A sign-in address was removed',
    sentence:
      'The address {{changedAddress}} can no longer be used to sign in to your account at {{projectDisplayName}}.',
  },
  primary_email_changed: {
    what: 'Your email address was changed',
    sentence: 'Emails about your account at {{projectDisplayName}} now go to {{changedAddress}}.',
  },
  primary_email_removed: {
    what: 'Your email address was removed',
    sentence: 'Emails about your account at {{projectDisplayName}} no longer go to {{changedAddress}}.',
  },
  provider_linked: {
    what: 'A sign-in provider was connected',
    sentence: 'Your account at {{projectDisplayName}} was connected to an account at {{providerName}}.',
    remove: 'disconnect the provider',
  },
  provider_unlinked: {
    what: 'A sign-in provider was disconnected',
    sentence:
      'Your account at {{projectDisplayName}} was disconnected from {{providerName}}, which no longer signs you in.',
  },
};

/** When it happened, and the device and the place when they are known. */
const facts =
  'Time: {{when}}{{#if device}}\nDevice: {{device}}{{/if}}{{#if place}}\nLocation: {{place}} (approximate){{/if}}';

function protectAccount(remove?: string): string {
  const first = remove === undefined ? '' : `${remove}, `;
  return `If this was you, you don’t need to do anything. If it wasn’t you, someone else may have access to your account: ${first}change your password at {{projectDisplayName}} now and sign out of all other sessions.`;
}

export const noticeNames = Object.keys(words) as readonly AccountNoticeTemplate[];

/** Notices of projects whose account page is not known. */
export const notices = templatesOf(name => createNotice(words[name], []));

const review = { text: 'Review your account', link: '{{accountLink}}' };

/** Notices with a button that opens the account page, or the page of the notice. */
export const linkedNotices = templatesOf(name => {
  const { action = review } = words[name];
  return createNotice(words[name], action === null ? [] : [button(action.text, action.link)]);
});

export function isNotice(template: string): template is AccountNoticeTemplate {
  return Object.hasOwn(words, template);
}

function templatesOf(
  create: (name: AccountNoticeTemplate) => MailTemplate,
): Readonly<Record<AccountNoticeTemplate, MailTemplate>> {
  return Object.fromEntries(noticeNames.map(name => [name, create(name)])) as Record<
    AccountNoticeTemplate,
    MailTemplate
  >;
}

function createNotice(
  { what, sentence, subject, remove, advice = protectAccount(remove) }: NoticeWords,
  action: readonly ReturnType<typeof button>[],
): MailTemplate {
  return {
    subject: subject ?? `${what} at {{projectDisplayName}}`,
    content: document([heading(what), text(sentence), text(facts), ...action, divider(), note(advice)]),
  };
}
