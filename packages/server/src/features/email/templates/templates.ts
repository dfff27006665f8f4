import {
  type EmailTemplateType,
  emailVerificationLifetimeMs,
  invitationLifetimeMs,
  passwordResetLifetimeMs,
  signInCodeLifetimeMs,
} from '@tessera/protocol';
import type { Template } from '../queue/index.ts';
import type { OwnTemplate } from '../queue/store.ts';
import type { Variables } from '../rendering/fill.ts';
import { button, code, divider, document, heading, note, text } from './block-builders.ts';
import type { MailTemplate } from './mail-template.ts';
import { isNotice, linkedNotices, notices } from './notices.ts';

const units = [
  { ms: 48 * 3_600_000, unitMs: 24 * 3_600_000, one: 'day', many: 'days' },
  { ms: 3_600_000, unitMs: 3_600_000, one: 'one hour', many: 'hours' },
  { ms: 0, unitMs: 60_000, one: 'one minute', many: 'minutes' },
] as const;

const pleaseConfirm =
  '{{#if userDisplayName}}Hi {{userDisplayName}}, please{{else}}Please{{/if}} confirm that this is your email address at {{projectDisplayName}}.';

/** The built-in templates, used when a project has none of its own. */
export const builtInTemplates: Readonly<Record<Template, MailTemplate>> = {
  ...notices,
  email_verification: {
    subject: 'Verify your email at {{projectDisplayName}}{{#if otp}}: Your code is {{otp}}{{/if}}',
    content: document([
      heading('Verify your email'),
      text(
        `${pleaseConfirm}{{#if otp}} Enter the code {{otp}} on the page where you signed up, or use this link:{{/if}}`,
      ),
      button('Verify email', '{{emailVerificationLink}}'),
      divider(),
      note(
        `The link works once and expires in ${inWords(emailVerificationLifetimeMs)}. If you didn’t expect this email, you can ignore it.`,
      ),
    ]),
  },
  password_reset: {
    subject: 'Reset your password at {{projectDisplayName}}',
    content: document([
      heading('Reset your password'),
      text(
        '{{#if userDisplayName}}Hi {{userDisplayName}}, we{{else}}We{{/if}} received a request to reset the password of your account at {{projectDisplayName}}.',
      ),
      button('Choose a new password', '{{passwordResetLink}}'),
      divider(),
      note(
        `The link works once and expires in ${inWords(passwordResetLifetimeMs)}. If you didn’t request this, you can ignore this email: your password stays the same.`,
      ),
    ]),
  },
  magic_link: {
    subject: 'Sign in to {{projectDisplayName}}: Your code is {{otp}}',
    content: document([
      heading('Sign in to {{projectDisplayName}}'),
      text('Enter this code where you are signing in:'),
      code('{{otp}}'),
      text('Or sign in with this link:'),
      button('Sign in', '{{magicLink}}'),
      divider(),
      note(
        `The code and the link work once and expire in ${inWords(signInCodeLifetimeMs)}. Don’t share them. If you didn’t try to sign in, you can ignore this email.`,
      ),
    ]),
  },
  reauthentication_code: {
    subject: 'Confirm it’s you at {{projectDisplayName}}: Your code is {{otp}}',
    content: document([
      heading('Confirm it’s you'),
      text('Enter this code to confirm a change of your account at {{projectDisplayName}}:'),
      code('{{otp}}'),
      divider(),
      note(
        `The code works once and expires in ${inWords(signInCodeLifetimeMs)}. Don’t share it. If you are not changing your account, someone else may be signed in to it: change your password and sign out of all other sessions.`,
      ),
    ]),
  },
  team_invitation: {
    subject:
      'Invitation to join {{#if teamDisplayName}}{{teamDisplayName}}{{else}}a team{{/if}} at {{projectDisplayName}}',
    content: document([
      heading('Join {{#if teamDisplayName}}{{teamDisplayName}}{{else}}a team{{/if}}'),
      text(
        '{{#if inviterDisplayName}}{{inviterDisplayName}} invited you{{else}}You are invited{{/if}} to {{#if teamDisplayName}}the team {{teamDisplayName}}{{else}}a team{{/if}} at {{projectDisplayName}}.',
      ),
      button('Join the team', '{{teamInvitationLink}}'),
      divider(),
      note(
        `The invitation expires in ${inWords(invitationLifetimeMs)}.{{#if recipientAddress}} It was sent to {{recipientAddress}}.{{/if}} If you don’t know who sent it, you can ignore this email.`,
      ),
    ]),
  },
  sign_in_invitation: {
    subject: 'You are invited to {{projectDisplayName}}',
    content: document([
      heading('You are invited to {{projectDisplayName}}'),
      text('Sign in with this email address to get started.'),
      button('Sign in', '{{signInInvitationLink}}'),
      divider(),
      note('If you didn’t expect this email, you can ignore it.'),
    ]),
  },
  project_invitation: {
    subject: '{{inviterName}} invited you to {{ofProject}}',
    content: document([
      heading('Join {{ofProject}}'),
      text('{{inviterName}} invited you to {{ofProject}} as {{asRole}}.'),
      button('Open the invitation', '{{projectInvitationLink}}'),
      divider(),
      note(
        `The link works once and expires in ${inWords(invitationLifetimeMs)}. Don’t share it. If you don’t know who sent it, you can ignore this email.`,
      ),
    ]),
  },
  project_transferred: {
    subject: '{{ofProject}} has a new owner',
    content: document([
      heading('{{ofProject}} has a new owner'),
      text('{{oldOwner}} transferred the project {{ofProject}} to {{newOwner}}.'),
      text('{{oldOwner}} is now an admin of the project.'),
      divider(),
      note('If you didn’t expect this, contact the other person or the operator of the installation at once.'),
    ]),
  },
  webhook_endpoint_disabled: {
    subject: 'A webhook endpoint of {{ofProject}} was disabled',
    content: document([
      heading('A webhook endpoint was disabled'),
      text(
        'The endpoint {{endpointUrl}} of {{ofProject}} failed for several days, or answered that it no longer exists. It receives no more messages.',
      ),
      text(
        'When it works again, enable it in the dashboard. The dashboard also lists the missed messages and can send them again.',
      ),
      divider(),
      note('You receive this email because you manage {{ofProject}}.'),
    ]),
  },
  failed_emails_digest: {
    subject: 'Some of your emails could not be sent',
    content: document([
      heading('Some of your emails could not be sent'),
      text('In the last 24 hours the mail server refused {{failedCount}} of {{ofProject}}:'),
      text('{{failures}}'),
      button('Open the email log', '{{dashboardLink}}'),
      divider(),
      note('You receive this email because you own the project.'),
    ]),
  },
  api_key_leaked: {
    subject: 'An API key of {{projectDisplayName}} was found in public',
    content: document([
      heading('We revoked one of your API keys'),
      text(
        'The key {{#if description}}“{{description}}” {{/if}}ending in {{lastFour}} was found in a public place. It has stopped working, and so have the programs that use it.',
      ),
      text('Create a new key at {{projectDisplayName}}, and store it where only your programs can read it.'),
      divider(),
      note('You receive this email because the key belongs to your account, or to a team whose keys you manage.'),
    ]),
  },
};

/**
 * The verification email with a code in large characters. It is a separate template, because a block cannot depend on a
 * variable.
 */
const verificationByCode: MailTemplate = {
  subject: builtInTemplates.email_verification.subject,
  content: document([
    heading('Verify your email'),
    text(`${pleaseConfirm} Enter this code on the page where you signed up:`),
    code('{{otp}}'),
    text('Or use this link:'),
    button('Verify email', '{{emailVerificationLink}}'),
    divider(),
    note(
      `The code and the link work once and expire in ${inWords(emailVerificationLifetimeMs)}. Don’t share them. If you didn’t expect this email, you can ignore it.`,
    ),
  ]),
};

/**
 * For pages without a field for the code. The subject still contains it
 * (docs/contract/sign-in-methods.md#magic-link-request).
 */
const magicLinkOnly: MailTemplate = {
  subject: builtInTemplates.magic_link.subject,
  content: document([
    heading('Sign in to {{projectDisplayName}}'),
    text('Sign in with this link:'),
    button('Sign in', '{{magicLink}}'),
    divider(),
    note(
      `The link works once and expires in ${inWords(signInCodeLifetimeMs)}. Don’t share it. If you didn’t try to sign in, you can ignore this email.`,
    ),
  ]),
};

/** The built-in template of an email. */
export function builtInTemplate(template: Template, { linkOnly, accountLink, otp }: Variables): MailTemplate {
  if (template === 'email_verification' && otp !== undefined) return verificationByCode;
  if (template === 'magic_link' && linkOnly !== undefined) return magicLinkOnly;
  return isNotice(template) && accountLink !== undefined ? linkedNotices[template] : builtInTemplates[template];
}

/** The built-in template in the format of the wire, for types that a project may change. */
export function defaultTemplate(type: EmailTemplateType): OwnTemplate {
  const { subject, content } = builtInTemplates[type];
  return { subject, content: JSON.parse(JSON.stringify(content)) };
}

function inWords(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[2];
  const count = Math.round(durationMs / unit.unitMs);
  return count === 1 ? unit.one : `${count} ${unit.many}`;
}
