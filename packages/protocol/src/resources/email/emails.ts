import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, json, listOf, millis, noQuery, primaryEmail, success, url, uuid } from '../../fields/fields.ts';
import { smtpServer } from '../../fields/smtp-server.ts';
import { emailContentMaxLength, emailSubjectMaxLength, ownerRecentSignInMs, usersPageMax } from '../../limits.ts';

export const emailSubject = z.string().max(emailSubjectMaxLength);

/**
 * The emails whose text a project may change, in the order of lists
 * (docs/contract/emails-webhooks-metrics.md#email-templates).
 */
export const emailTemplateTypes = [
  'email_verification',
  'password_reset',
  'magic_link',
  'team_invitation',
  'sign_in_invitation',
] as const;

export type EmailTemplateType = (typeof emailTemplateTypes)[number];

/** docs/contract/emails-webhooks-metrics.md#themes-and-rendering */
export const emailThemes = ['default-light', 'default-dark'] as const;

export type EmailTheme = (typeof emailThemes)[number];

const templateType = z.enum(emailTemplateTypes);

const template = z.strictObject({
  type: templateType,
  subject: z.string(),
  content: json,
  is_default: z.boolean(),
});

/** The handler checks each block: an invalid one has its own error. */
const content = z
  .custom<z.infer<typeof json>>(value => value !== undefined && value !== null, 'must be defined')
  .meta({ description: 'Blocks by id; the one called `root` is the entry.' });

const ofType = z.strictObject({ type: templateType });

/** docs/contract/emails-webhooks-metrics.md#email-templates */
export const emailTemplateEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/email-templates',
    access: 'admin',
    query: noQuery,
    response: listOf(template),
    summary: 'List the five email templates of the project',
    tag: 'Emails',
    errors: [],
  }),
  read: endpoint({
    method: 'GET',
    path: '/email-templates/{type}',
    access: 'admin',
    params: ofType,
    query: noQuery,
    response: template,
    summary: 'Read an email template',
    tag: 'Emails',
    errors: [],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/email-templates/{type}',
    access: 'admin',
    // A template can send the codes of its emails to another server, in the address of an image.
    recentSignInWithinMs: ownerRecentSignInMs,
    params: ofType,
    query: noQuery,
    largeBody: true,
    body: z.strictObject({ subject: emailSubject.optional(), content: content.optional() }),
    response: template,
    summary: 'Change an email template; parts that are not sent stay',
    tag: 'Emails',
    errors: [],
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/email-templates/{type}',
    access: 'admin',
    params: ofType,
    query: noQuery,
    response: success,
    summary: 'Reset an email template to the built-in text',
    tag: 'Emails',
    errors: [],
  }),
};

const sendingResult = z.strictObject({
  user_id: z.string(),
  user_email: z.string().optional(),
  success: z.boolean(),
  error: z.string().optional(),
});

/** docs/contract/emails-webhooks-metrics.md#sent-email-log */
export const sentEmail = z.strictObject({
  id: uuid,
  subject: z.string(),
  to: z.array(z.string()),
  sent_at_millis: millis,
  sender_config: z.strictObject({
    type: z.enum(['shared', 'standard']),
    host: z.string(),
    port: z.number(),
    username: z.string(),
    sender_name: z.string(),
    sender_email: z.string(),
  }),
  error: json.meta({ description: 'Null when the mail server accepted the email.' }),
});

const failedEmail = z.strictObject({ subject: z.string(), to: z.array(z.string()) });

const digest = z.strictObject({
  success: z.boolean(),
  error_message: z.string().optional(),
  failed_emails_by_tenancy: z
    .array(
      z.strictObject({
        emails: z.array(failedEmail),
        tenant_owner_emails: z.array(z.string()),
        project_id: z.string(),
        tenancy_id: z.string(),
      }),
    )
    .optional(),
});

const emailHtml = z.string().max(emailContentMaxLength);

/** docs/contract/emails-webhooks-metrics.md */
export const emailEndpoints = {
  render: endpoint({
    method: 'POST',
    path: '/emails/render-email',
    access: 'admin',
    ignoresIdempotencyKey: true,
    largeBody: true,
    body: z.strictObject({ theme: z.enum(emailThemes), preview_html: emailHtml }),
    response: z.strictObject({ html: z.string() }),
    summary: 'Render an email in a theme',
    tag: 'Emails',
    errors: ['EMAIL_RENDERING_ERROR'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/emails/send-email',
    access: 'server',
    largeBody: true,
    body: z.strictObject({
      // As many as the longest page of the list of users. Ids may repeat.
      user_ids: z.array(z.string()).max(usersPageMax),
      subject: emailSubject,
      html: emailHtml,
      notification_category_name: z.string().meta({ example: 'Marketing' }),
    }),
    response: z.strictObject({ results: z.array(sendingResult) }),
    summary: 'Send an email to users of the project, except to those who switched the category off',
    tag: 'Emails',
    errors: [],
  }),
  sendSignInInvitation: endpoint({
    method: 'POST',
    path: '/internal/send-sign-in-invitation',
    access: 'server',
    body: z.strictObject({ email: primaryEmail, callback_url: url }),
    response: success,
    summary: 'Invite an address to sign in',
    tag: 'Emails',
    errors: ['REDIRECT_URL_NOT_WHITELISTED'],
  }),
  sendTestEmail: endpoint({
    method: 'POST',
    path: '/internal/send-test-email',
    access: 'admin',
    body: z.strictObject({ recipient_email: email, email_config: smtpServer }),
    response: z.union([success, z.strictObject({ success: z.literal(false), error_message: z.string() })]),
    summary: 'Send a test email through a mail server, without changing the configuration',
    tag: 'Emails',
    errors: [],
  }),
  listSent: endpoint({
    method: 'GET',
    path: '/internal/emails',
    access: 'admin',
    // The subjects of sign-in emails contain their codes.
    role: 'admin',
    query: noQuery,
    response: listOf(sentEmail),
    summary: 'List the newest emails and their delivery, newest first',
    tag: 'Emails',
    errors: [],
  }),
  sendFailureDigest: endpoint({
    method: 'POST',
    path: '/internal/failed-emails-digest',
    access: 'none',
    query: z.strictObject({ dry_run: z.enum(['true', 'false']).optional() }),
    headers: z.object({ authorization: z.string() }),
    response: digest,
    summary: 'Send owners a digest of the emails that failed in the last day; for the scheduler of the operator',
    tag: 'Emails',
    errors: [],
  }),
};
