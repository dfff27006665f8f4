import {
  type EmailTemplateType,
  emailVerificationLifetimeMs,
  invitationLifetimeMs,
  passwordResetLifetimeMs,
  signInCodeLifetimeMs,
} from '@tessera/protocol';
import type { AccountNoticeTemplate, Template } from '../queue/index.ts';
import type { OwnTemplate } from '../queue/store.ts';
import type { MailBlock, MailContent } from '../rendering/content.ts';
import type { Variables } from '../rendering/fill.ts';

export interface MailTemplate {
  readonly subject: string;
  readonly content: MailContent;
}

const units = [
  { ms: 48 * 3_600_000, unitMs: 24 * 3_600_000, one: 'day', many: 'days' },
  { ms: 3_600_000, unitMs: 3_600_000, one: 'one hour', many: 'hours' },
  { ms: 0, unitMs: 60_000, one: 'one minute', many: 'minutes' },
] as const;

const grey = '#6b7280';

/** Sent to the owner of an account after a change of its sign-in methods. */
const notices: Readonly<Record<AccountNoticeTemplate, MailTemplate>> = {
  password_added: notice('A password was added', 'Your account at {{projectDisplayName}} now has a password.'),
  password_changed: notice(
    'Your password was changed',
    'The password of your account at {{projectDisplayName}} was changed.',
  ),
  password_removed: notice(
    'Your password was removed',
    'The password of your account at {{projectDisplayName}} was removed. It no longer signs you in.',
  ),
  passkey_added: notice('A passkey was added', 'A new passkey signs in to your account at {{projectDisplayName}}.'),
  passkeys_removed: notice(
    'Your passkeys were removed',
    'The passkeys of your account at {{projectDisplayName}} were removed. They no longer sign you in.',
  ),
  totp_switched_on: notice(
    'Two-factor sign-in was switched on',
    'Your account at {{projectDisplayName}} now asks for a code of your authenticator app when you sign in.',
  ),
  totp_switched_off: notice(
    'Two-factor sign-in was switched off',
    'Your account at {{projectDisplayName}} no longer asks for a code of your authenticator app when you sign in.',
  ),
  sign_in_address_added: notice(
    'A sign-in address was added',
    'The address {{changedAddress}} can now be used to sign in to your account at {{projectDisplayName}}.',
  ),
  sign_in_address_removed: notice(
    'A sign-in address was removed',
    'The address {{changedAddress}} can no longer be used to sign in to your account at {{projectDisplayName}}.',
  ),
  primary_email_changed: notice(
    'Your email address was changed',
    'Mail of your account at {{projectDisplayName}} now goes to {{changedAddress}}.',
  ),
  provider_linked: notice(
    'A sign-in provider was linked',
    'Your account at {{projectDisplayName}} was linked to an account at {{providerName}}.',
  ),
};

/** The built-in templates, used when a project has none of its own. */
export const builtInTemplates: Readonly<Record<Template, MailTemplate>> = {
  ...notices,
  email_verification: {
    subject: 'Verify your email at {{projectDisplayName}}',
    content: document([
      heading('Verify your email'),
      text(
        '{{#if userDisplayName}}Hello {{userDisplayName}}, please{{else}}Please{{/if}} confirm that this address is yours, so that {{projectDisplayName}} can rely on it.',
      ),
      button('Verify email', '{{emailVerificationLink}}'),
      divider(),
      note(
        `The link works once, for ${inWords(emailVerificationLifetimeMs)}. If you did not expect this mail, you can ignore it.`,
      ),
    ]),
  },
  password_reset: {
    subject: 'Reset your password at {{projectDisplayName}}',
    content: document([
      heading('Reset your password'),
      text(
        '{{#if userDisplayName}}Hello {{userDisplayName}}, somebody{{else}}Somebody{{/if}}, hopefully you, asked for a new password for your account at {{projectDisplayName}}. Choose one here:',
      ),
      button('Choose a new password', '{{passwordResetLink}}'),
      divider(),
      note(
        `The link works once, for ${inWords(passwordResetLifetimeMs)}. If you did not ask for it, you can ignore this mail: your password stays as it is.`,
      ),
    ]),
  },
  magic_link: {
    subject: 'Sign in to {{projectDisplayName}}: Your code is {{otp}}',
    content: document([
      heading('Sign in to {{projectDisplayName}}'),
      text('Enter this code where you are signing in:'),
      code('{{otp}}'),
      text('Or sign in with one click:'),
      button('Sign in', '{{magicLink}}'),
      divider(),
      note(
        `Code and link work once, for ${inWords(signInCodeLifetimeMs)}. Give them to nobody. If you did not try to sign in, you can ignore this mail.`,
      ),
    ]),
  },
  team_invitation: {
    subject: 'Invitation to join {{teamDisplayName}} at {{projectDisplayName}}',
    content: document([
      heading('Join {{teamDisplayName}}'),
      text('You are invited to the team {{teamDisplayName}} at {{projectDisplayName}}.'),
      button('Join the team', '{{teamInvitationLink}}'),
      divider(),
      note(
        `The invitation is valid for ${inWords(invitationLifetimeMs)}. If you do not know who sent it, you can ignore this mail.`,
      ),
    ]),
  },
  sign_in_invitation: {
    subject: 'You are invited to {{projectDisplayName}}',
    content: document([
      heading('You are invited to {{projectDisplayName}}'),
      text('An account is waiting for you. Sign in with this address to begin.'),
      button('Sign in', '{{signInInvitationLink}}'),
      divider(),
      note('If you did not expect this mail, you can ignore it.'),
    ]),
  },
  webhook_endpoint_disabled: {
    subject: 'A webhook endpoint of {{ofProject}} was disabled',
    content: document([
      heading('A webhook endpoint was disabled'),
      text(
        'The endpoint {{endpointUrl}} of {{ofProject}} has taken nothing for days, or says that it is gone. It gets no more messages.',
      ),
      text(
        'Once it works again, enable it in the dashboard. There you also find what it missed, and can send it again.',
      ),
      divider(),
      note('You get this mail because you look after {{ofProject}}.'),
    ]),
  },
  failed_emails_digest: {
    subject: 'Some of your mail could not be sent',
    content: document([
      heading('Some of your mail could not be sent'),
      text('In the last 24 hours the mail server refused {{failedCount}} of {{ofProject}}:'),
      text('{{failures}}'),
      button('Look at the log', '{{dashboardLink}}'),
      divider(),
      note('You get this mail because you own the project.'),
    ]),
  },
  api_key_leaked: {
    subject: 'An API key of {{projectDisplayName}} was found in public',
    content: document([
      heading('We revoked one of your API keys'),
      text(
        'The key {{#if description}}“{{description}}” {{/if}}ending in {{lastFour}} was found in a public place, where anybody could read it. It has stopped working, and so have the programs that use it.',
      ),
      text('Make a new key at {{projectDisplayName}}, and keep it where only your programs can read it.'),
      divider(),
      note('You get this mail because the key belongs to your account, or to a team whose keys you manage.'),
    ]),
  },
};

/**
 * For pages without a field for the code. The subject still contains it
 * (docs/contract/sign-in-methods.md#magic-link-request).
 */
const magicLinkOnly: MailTemplate = {
  subject: builtInTemplates.magic_link.subject,
  content: document([
    heading('Sign in to {{projectDisplayName}}'),
    text('Sign in with one click:'),
    button('Sign in', '{{magicLink}}'),
    divider(),
    note(
      `The link works once, for ${inWords(signInCodeLifetimeMs)}. If you did not try to sign in, you can ignore this mail.`,
    ),
  ]),
};

/** The built-in template of an email. */
export function builtInTemplate(template: Template, { linkOnly }: Variables): MailTemplate {
  return template === 'magic_link' && linkOnly !== undefined ? magicLinkOnly : builtInTemplates[template];
}

/** The built-in template in the format of the wire, for types that a project may change. */
export function defaultTemplate(type: EmailTemplateType): OwnTemplate {
  const { subject, content } = builtInTemplates[type];
  return { subject, content: JSON.parse(JSON.stringify(content)) };
}

function notice(what: string, sentence: string): MailTemplate {
  return {
    subject: `${what} at {{projectDisplayName}}`,
    content: document([
      heading(what),
      text(sentence),
      divider(),
      note(
        'If it was you, there is nothing to do. If not, somebody else may be able to use your account: choose another password at {{projectDisplayName}} now, and look at its sessions.',
      ),
    ]),
  };
}

function document(blocks: readonly MailBlock[]): MailContent {
  const named = blocks.map((block, index) => [`block-${index + 1}`, block] as const);
  const root: MailBlock = {
    type: 'EmailLayout',
    data: {
      backdropColor: '#f4f4f5',
      canvasColor: '#ffffff',
      textColor: '#18181b',
      fontFamily: 'MODERN_SANS',
      childrenIds: named.map(([id]) => id),
    },
  };
  return { root, ...Object.fromEntries(named) };
}

function heading(words: string): MailBlock {
  const padding = { top: 16, bottom: 8, left: 32, right: 32 };
  return { type: 'Heading', data: { props: { text: words, level: 'h2' }, style: { padding } } };
}

function text(words: string): MailBlock {
  const padding = { top: 8, bottom: 8, left: 32, right: 32 };
  return { type: 'Text', data: { props: { text: words }, style: { padding, fontSize: 16 } } };
}

function code(words: string): MailBlock {
  const padding = { top: 8, bottom: 8, left: 32, right: 32 };
  const style = { padding, fontSize: 36, fontWeight: 'bold', fontFamily: 'MONOSPACE' } as const;
  return { type: 'Text', data: { props: { text: words }, style } };
}

function button(words: string, url: string): MailBlock {
  const padding = { top: 12, bottom: 20, left: 32, right: 32 };
  const looks = { buttonBackgroundColor: '#18181b', buttonTextColor: '#ffffff', buttonStyle: 'rounded' } as const;
  return { type: 'Button', data: { props: { text: words, url, size: 'medium', ...looks }, style: { padding } } };
}

function divider(): MailBlock {
  const padding = { top: 8, bottom: 8, left: 32, right: 32 };
  return { type: 'Divider', data: { props: { lineColor: '#e4e4e7' }, style: { padding } } };
}

function note(words: string): MailBlock {
  const padding = { top: 4, bottom: 8, left: 32, right: 32 };
  return { type: 'Text', data: { props: { text: words }, style: { padding, fontSize: 14, color: grey } } };
}

function inWords(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[2];
  const count = Math.round(durationMs / unit.unitMs);
  return count === 1 ? unit.one : `${count} ${unit.many}`;
}
