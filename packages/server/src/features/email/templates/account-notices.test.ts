import { describe, expect, test } from 'vitest';
import type { AccountNoticeTemplate, AccountNoticeVariables, NoticeOrigin } from '../queue/index.ts';
import { renderEmail } from '../rendering/render.ts';
import { noticeFacts } from './notice-facts.ts';

const notices: {
  readonly [N in AccountNoticeTemplate]: {
    readonly about: AccountNoticeVariables[N];
    readonly subject: string;
    readonly says: string;
    /** Default: what protects an account that another person has changed. */
    readonly advice?: string;
    /** The button in the plain text; null for none. Default: the account page. */
    readonly action?: string | null;
  };
} = {
  new_device_sign_in: {
    about: {},
    subject: 'New sign-in at Acme',
    says: 'Your account at Acme was used to sign in on a new device.',
  },
  account_deletion_scheduled: {
    about: { deletesAt: '17 May 2026 at 14:03 UTC' },
    subject: 'Your account at Acme will be deleted',
    says: 'Your account at Acme will be deleted on 17 May 2026 at 14:03 UTC. Until then, you can sign in and keep it.',
    advice: 'If you asked for this, you don’t need to do anything.',
    action: 'Keep my account:\nhttps://app.acme.example/handler/account-deletion\n',
  },
  account_deletion_canceled: {
    about: {},
    subject: 'Your account at Acme stays',
    says: 'The deletion of your account at Acme was canceled. Nothing is lost.',
  },
  account_deleted: {
    about: {},
    subject: 'Your account at Acme has been deleted',
    says: 'Your account at Acme has been deleted. Thank you for being with us.',
    advice: 'If you didn’t ask for this, contact Acme.',
    action: null,
  },
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
    advice: 'access to your account: remove the passkey, change your password at Acme now and sign out',
  },
  passkey_removed: {
    about: {},
    subject: 'A passkey was removed at Acme',
    says: 'A passkey of your account at Acme was removed. It no longer signs you in.',
  },
  passkeys_removed: {
    about: {},
    subject: 'Your passkeys were removed at Acme',
    says: 'The passkeys of your account at Acme were removed. They no longer sign you in.',
  },
  totp_switched_on: {
    about: {},
    subject: 'Two-step verification was turned on at Acme',
    says: 'Your account at Acme now asks for a code from your authenticator app when you sign in.',
  },
  totp_switched_off: {
    about: {},
    subject: 'Two-step verification was turned off at Acme',
    says: 'Your account at Acme no longer asks for a code from your authenticator app when you sign in.',
  },
  email_code_switched_off: {
    about: {},
    subject: 'Sign-in by email code was turned off at Acme',
    says: 'Your account at Acme no longer gets codes and links by email to sign in.',
  },
  recovery_codes_created: {
    about: {},
    subject: 'New recovery codes were created at Acme',
    says: 'Your account at Acme has new recovery codes. Earlier ones no longer work.',
  },
  recovery_code_used: {
    about: { remainingCount: '9' },
    subject: 'A recovery code was used at Acme',
    says: 'A recovery code signed in to your account at Acme. Recovery codes left: 9.',
  },
  sign_in_address_added: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'A sign-in address was added at Acme',
    says: 'The address ada@example.com can now be used to sign in to your account at Acme.',
    advice: 'access to your account: remove the address, change your password at Acme now and sign out',
  },
  sign_in_address_removed: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'A sign-in address was removed at Acme',
    says: 'The address ada@example.com can no longer be used to sign in to your account at Acme.',
  },
  primary_email_changed: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'Your email address was changed at Acme',
    says: 'Emails about your account at Acme now go to ada@example.com.',
  },
  primary_email_removed: {
    about: { changedAddress: 'ada@example.com' },
    subject: 'Your email address was removed at Acme',
    says: 'Emails about your account at Acme no longer go to ada@example.com.',
  },
  provider_linked: {
    about: { providerName: 'GitHub' },
    subject: 'A sign-in provider was connected at Acme',
    says: 'Your account at Acme was connected to an account at GitHub.',
    advice: 'access to your account: disconnect the provider, change your password at Acme now and sign out',
  },
  provider_unlinked: {
    about: { providerName: 'GitHub' },
    subject: 'A sign-in provider was disconnected at Acme',
    says: 'Your account at Acme was disconnected from GitHub, which no longer signs you in.',
  },
};

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const atMillis = Date.UTC(2026, 10, 22, 13, 45);
const app = { domain: 'https://app.acme.example', handlerPath: '/handler' };

const protectAccount = 'If this was you, you don’t need to do anything.';
const review = 'Review your account:\nhttps://app.acme.example/handler/account-settings\n';

function render(template: AccountNoticeTemplate, origin: NoticeOrigin = {}, domains = [app]) {
  const variables = { ...notices[template].about, ...origin };
  return renderEmail({
    template,
    variables: { ...variables, ...noticeFacts(variables, { atMillis, config: { domains } }) },
    projectDisplayName: 'Acme',
    senderAddress: 'noreply@acme.example',
  });
}

describe('control 68: an account notice names the change and what to do', () => {
  test.each(Object.keys(notices) as AccountNoticeTemplate[])('%s', async notice => {
    const { subject, says, advice = protectAccount, action = review } = notices[notice];
    const email = await render(notice);
    expect(email.subject).toBe(subject);
    expect(email.text).toContain(`\n\n${says}\n\n`);
    expect(email.text).toContain('\n\nTime: 22 November 2026 at 13:45 UTC\n\n');
    expect(email.text).toContain(advice);
    expect(email.text.match(/[^\n]+:\nhttps:.*\n/)?.[0] ?? null).toBe(action);
    expect(email.text).not.toMatch(/[{}]|undefined/);
    expect(email.html).toContain(says);
  });
});

describe('the facts of an account notice', () => {
  test('are device and place of a request from a browser', async () => {
    const { text } = await render('password_changed', { userAgent: chrome, countryCode: 'DE' });
    expect(text).toContain('UTC\nDevice: Chrome on Windows\nLocation: Germany (approximate)\n\n');
  });

  test('are only the time of a request from a program or an unknown country', async () => {
    const { text } = await render('password_changed', { userAgent: 'curl/8.0', countryCode: 'QX' });
    expect(text).not.toMatch(/Device|Location/);
  });

  test('contain no link from a user agent', async () => {
    const { text, html } = await render('password_changed', { userAgent: `${chrome} https://evil.example/(Mac)` });
    expect(text + html).not.toContain('evil.example');
  });

  test.each([
    ['a project without trusted domains', []],
    ['a project with wildcard domains only', [{ domain: 'https://*.acme.example', handlerPath: '/' }]],
  ])('have no button in %s', async (_, domains) => {
    const { text, html } = await render('password_changed', {}, domains);
    expect(text).not.toMatch(/Review your account|:\/\//);
    expect(html).not.toContain('<a ');
  });

  test.each([
    ['https://app.acme.example', '/', 'https://app.acme.example/account-settings'],
    ['https://acme.example/shop/', '/handler/', 'https://acme.example/shop/handler/account-settings'],
  ])(
    'lead to the account page below the handler of the app: domain %s, handler path %s',
    async (domain, handlerPath, link) => {
      const { text } = await render('password_changed', {}, [{ domain, handlerPath }]);
      expect(text).toContain(`\n${link}\n`);
    },
  );
});
