import { describe, expect, test } from 'vitest';
import type { AccountNoticeTemplate, AccountNoticeVariables } from '../queue/index.ts';
import { renderEmail } from '../rendering/render.ts';

const notices: {
  readonly [N in AccountNoticeTemplate]: {
    readonly about: AccountNoticeVariables[N];
    readonly subject: string;
    readonly says: string;
  };
} = {
  password_added: {
    about: {},
    subject: 'A password was added at Acme',
    says: 'Your account at Acme now has a password.',
  },
  password_changed: {
    about: {},
    subject: 'Your password was changed at Acme',
    says: 'The password of your account at Acme was changed.',
  },
  password_removed: {
    about: {},
    subject: 'Your password was removed at Acme',
    says: 'The password of your account at Acme was removed. It no longer signs you in.',
  },
  passkey_added: {
    about: {},
    subject: 'A passkey was added at Acme',
    says: 'A new passkey signs in to your account at Acme.',
  },
  passkeys_removed: {
    about: {},
    subject: 'Your passkeys were removed at Acme',
    says: 'The passkeys of your account at Acme were removed. They no longer sign you in.',
  },
  totp_switched_on: {
    about: {},
    subject: 'Two-factor sign-in was switched on at Acme',
    says: 'Your account at Acme now asks for a code of your authenticator app when you sign in.',
  },
  totp_switched_off: {
    about: {},
    subject: 'Two-factor sign-in was switched off at Acme',
    says: 'Your account at Acme no longer asks for a code of your authenticator app when you sign in.',
  },
  sign_in_address_added: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'A sign-in address was added at Acme',
    says: 'The address ada@example.com can now be used to sign in to your account at Acme.',
  },
  sign_in_address_removed: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'A sign-in address was removed at Acme',
    says: 'The address ada@example.com can no longer be used to sign in to your account at Acme.',
  },
  primary_email_changed: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'Your email address was changed at Acme',
    says: 'Mail of your account at Acme now goes to ada@example.com.',
  },
  provider_linked: {
    about: { providerName: 'GitHub' },
    subject: 'A sign-in provider was linked at Acme',
    says: 'Your account at Acme was linked to an account at GitHub.',
  },
};

describe('control 68: an account notice names the change and what to do', () => {
  test.each(Object.keys(notices) as AccountNoticeTemplate[])('%s', async notice => {
    const { about, subject, says } = notices[notice];
    const email = await renderEmail({ template: notice, variables: { ...about }, projectDisplayName: 'Acme' });
    expect(email.subject).toBe(subject);
    expect(email.text).toContain(`\n\n${says}\n\n`);
    expect(email.text).toContain('If it was you, there is nothing to do.');
    expect(email.text).not.toMatch(/[{}]|undefined|:\/\//);
    expect(email.html).toContain(says);
  });
});
