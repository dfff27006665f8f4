import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { json, listOf, millis, noQuery, pageCursor, pageOf, primaryEmail, success, uuid } from '../../fields/fields.ts';
import {
  emailContentMaxLength,
  emailMaxLength,
  messageUsersMax,
  sentEmailPageDefault,
  sentEmailPageMax,
  waitingEmailPageDefault,
  waitingEmailPageMax,
} from '../../limits.ts';
import { emailSubject, emailTemplateTypes, sentEmail } from './emails.ts';

/** The handler checks each block: an invalid one has its own error. */
const emailBlocks = z
  .custom<z.infer<typeof json>>(
    value => typeof value === 'object' && value !== null && JSON.stringify(value).length <= emailContentMaxLength,
    `must be an object of at most ${emailContentMaxLength} characters as JSON`,
  )
  .meta({ description: 'Blocks by id; the one called `root` is the entry.' });

/** An email as a mail program receives it. */
const renderedEmail = z.strictObject({ subject: z.string(), html: z.string(), text: z.string() });

const ofType = z.strictObject({ type: z.enum(emailTemplateTypes) });

/** An attempt, with the user and the message to users that it belongs to. */
const loggedEmail = sentEmail.extend({
  user_id: uuid.nullable().meta({ description: 'The receiving user; null for an address without an account.' }),
  message_id: uuid.nullable().meta({ description: 'The message to users that the email is a copy of.' }),
});

const template = z.string().meta({
  description: 'The kind of email: a template, a notice, or `broadcast` for an email that the project wrote.',
  example: 'password_changed',
});
const nextAttempt = millis.nullable().meta({
  description: 'When a waiting email is tried; null when it is due, or does not wait.',
});

const logEntry = loggedEmail.extend({
  template: template.nullable().meta({ description: 'Null for a test email, and in entries of earlier versions.' }),
  resending: z.enum(['possible', 'waiting', 'accepted', 'has_code', 'canceled', 'not_kept']).meta({
    description:
      'Whether the email can be sent again. `waiting`: an attempt follows anyway. `accepted`: this attempt, or a later one of a message, was accepted. `canceled`: the message to users was canceled. `not_kept`: its content was deleted, because it is older than 7 days for example.',
  }),
  next_attempt_at_millis: nextAttempt,
});

const waitingEmail = z.strictObject({
  id: uuid,
  template,
  recipient: z.string(),
  user_id: uuid.nullable(),
  message_id: uuid.nullable(),
  created_at_millis: millis,
  attempts: z.number().int().meta({ description: 'Attempts that failed so far.' }),
  next_attempt_at_millis: nextAttempt,
});

/** `{milliseconds}.{number}` of an attempt. */
const cursor = z
  .string()
  .regex(/^\d{1,15}\.\d{1,15}$/, 'must be a cursor that an earlier page gave')
  .meta({ description: 'Of the first attempt of the wanted page.' });

/** Extensions (docs/contract/decisions.md#email-templates-and-messages) */
export const emailExtensionEndpoints = {
  previewTemplate: endpoint({
    method: 'POST',
    path: '/internal/extensions/email-templates/{type}/preview',
    access: 'admin',
    // A preview changes nothing and shows sample values.
    role: 'viewer',
    params: ofType,
    query: noQuery,
    largeBody: true,
    body: z.strictObject({ subject: emailSubject, content: emailBlocks }),
    response: renderedEmail.extend({
      variables: z.array(z.strictObject({ name: z.string(), sample: z.string() })),
    }),
    summary: 'Render an unsaved email template with sample values; sends nothing',
    tag: 'extension',
    changesNothing: true,
    errors: ['EMAIL_RENDERING_ERROR'],
  }),
  testTemplate: endpoint({
    method: 'POST',
    path: '/internal/extensions/email-templates/{type}/test',
    access: 'admin',
    params: ofType,
    query: noQuery,
    largeBody: true,
    body: z.strictObject({
      recipient_email: primaryEmail,
      subject: emailSubject.optional(),
      content: emailBlocks.optional(),
    }),
    response: z.union([success, z.strictObject({ success: z.literal(false), error_message: z.string() })]),
    summary: 'Send an email template with sample values to one address; parts that are left out are the stored ones',
    tag: 'extension',
    errors: ['EMAIL_RENDERING_ERROR'],
  }),
  listLog: endpoint({
    method: 'GET',
    path: '/internal/extensions/sent-emails',
    access: 'admin',
    role: 'admin',
    query: z.strictObject({
      user_id: uuid.optional(),
      message_id: uuid.optional(),
      recipient: z
        .string()
        .min(1)
        .max(emailMaxLength)
        .optional()
        .meta({ description: 'A part of the address of a recipient, in any case.' }),
      state: z.enum(['accepted', 'failed']).optional(),
      limit: z.number().int().min(1).max(sentEmailPageMax).optional().meta({ default: sentEmailPageDefault }),
      cursor: cursor.optional(),
    }),
    response: pageOf(loggedEmail, z.string()),
    summary: 'List the log of sent emails by user, message, recipient and state, newest first',
    tag: 'extension',
    errors: [],
  }),
  readLog: endpoint({
    method: 'GET',
    path: '/internal/extensions/sent-emails/{id}',
    access: 'admin',
    role: 'admin',
    params: z.strictObject({ id: uuid }),
    query: noQuery,
    response: logEntry,
    summary: 'Read one attempt to send an email, and whether the email can be sent again',
    tag: 'extension',
    errors: [],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/internal/extensions/sent-emails/{id}/send-again',
    access: 'admin',
    params: z.strictObject({ id: uuid }),
    query: noQuery,
    response: logEntry,
    recordsItsChange: true,
    summary: 'Send a failed email again: never one with a code',
    tag: 'extension',
    errors: [],
  }),
  listWaiting: endpoint({
    method: 'GET',
    path: '/internal/extensions/waiting-emails',
    access: 'admin',
    role: 'admin',
    query: z.strictObject({
      limit: z.number().int().min(1).max(waitingEmailPageMax).optional().meta({ default: waitingEmailPageDefault }),
      cursor: pageCursor.optional().meta({ description: 'Of the first email of the wanted page.' }),
    }),
    response: pageOf(waitingEmail, z.string()),
    summary: 'List the emails that wait for an attempt, newest first',
    tag: 'extension',
    errors: [],
  }),
};

const audience = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('all') }),
    z.strictObject({ type: z.literal('team'), team_id: uuid }),
    z.strictObject({
      type: z.literal('filter'),
      is_verified: z.boolean().optional(),
      signed_up_from_millis: millis.optional(),
      signed_up_to_millis: millis.optional(),
      active_from_millis: millis.optional().meta({ description: 'Active at this time or later.' }),
      active_to_millis: millis.optional().meta({ description: 'Not active since this time, or never.' }),
    }),
    z.strictObject({ type: z.literal('users'), user_ids: z.array(uuid).min(1).max(messageUsersMax) }),
  ])
  .meta({ description: 'All users, the members of a team, the users that fit all conditions, or chosen users.' });

const category = z.string().meta({ example: 'Marketing' });

const counts = {
  matching: z.number().int().meta({ description: 'Users of the audience.' }),
  reachable: z.number().int().meta({ description: 'Those with an address who have not unsubscribed.' }),
  without_address: z.number().int(),
  unsubscribed: z.number().int(),
};

const message = z.strictObject({
  id: uuid,
  subject: z.string(),
  content: json,
  audience,
  notification_category_name: category,
  created_at_millis: millis,
  created_by: z.strictObject({ type: z.string(), id: uuid.nullable() }),
  state: z.enum(['sending', 'sent', 'canceled']).meta({ description: '`sent`: every copy was added to the queue.' }),
  recipients: z.number().int().meta({ description: 'Reachable users when the message was created.' }),
  queued: z.number().int().meta({ description: 'Copies that were added to the queue so far.' }),
  waiting: z.number().int().meta({ description: 'Copies in the queue.' }),
  accepted: z.number().int().meta({ description: 'Copies that the mail server accepted.' }),
  failed: z.number().int().meta({ description: 'Copies that were given up.' }),
});

const ofMessage = z.strictObject({ id: uuid });

/** Extensions (docs/contract/decisions.md#email-templates-and-messages) */
export const messageEndpoints = {
  preview: endpoint({
    method: 'POST',
    path: '/internal/extensions/messages/preview',
    access: 'admin',
    query: noQuery,
    largeBody: true,
    body: z.strictObject({ subject: emailSubject, content: emailBlocks, notification_category_name: category }),
    response: renderedEmail.extend({
      variables: z.array(z.strictObject({ name: z.string(), sample: z.string() })),
    }),
    summary: 'Render a message to users with sample values; sends nothing',
    tag: 'extension',
    changesNothing: true,
    errors: ['EMAIL_RENDERING_ERROR'],
  }),
  countAudience: endpoint({
    method: 'POST',
    path: '/internal/extensions/messages/audience',
    access: 'admin',
    query: noQuery,
    largeBody: true,
    body: z.strictObject({ audience, notification_category_name: category }),
    response: z.strictObject(counts),
    summary: 'Count the users that a message would reach',
    tag: 'extension',
    changesNothing: true,
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/internal/extensions/messages',
    access: 'admin',
    query: noQuery,
    largeBody: true,
    body: z.strictObject({
      subject: emailSubject.min(1),
      content: emailBlocks,
      notification_category_name: category,
      audience,
      expected_recipients: z.number().int().min(1).meta({
        description: 'The number that the sender confirmed. A larger audience is refused with 409.',
      }),
    }),
    response: message,
    status: 201,
    recordsItsChange: true,
    summary: 'Send a message to users; it is queued in batches',
    tag: 'extension',
    errors: ['EMAIL_RENDERING_ERROR'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/messages',
    access: 'admin',
    role: 'admin',
    query: noQuery,
    response: listOf(message),
    summary: 'List the newest messages to users with their progress, newest first',
    tag: 'extension',
    errors: [],
  }),
  read: endpoint({
    method: 'GET',
    path: '/internal/extensions/messages/{id}',
    access: 'admin',
    role: 'admin',
    params: ofMessage,
    query: noQuery,
    response: message,
    summary: 'Read a message to users with its progress',
    tag: 'extension',
    errors: [],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/internal/extensions/messages/{id}/cancel',
    access: 'admin',
    params: ofMessage,
    query: noQuery,
    response: message,
    recordsItsChange: true,
    summary: 'Stop a message to users: copies that were not sent yet are removed from the queue',
    tag: 'extension',
    errors: [],
  }),
};
