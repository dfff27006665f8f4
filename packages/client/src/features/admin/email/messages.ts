import type { Args, Json, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import { failed, ok, type Result } from '../../../errors/result.ts';
import type { EmailTemplateType } from './emails.ts';

/** An email as a mail program receives it, with the variables that its text can use. */
export interface EmailPreview {
  /** The subject, with sample values. */
  readonly subject: string;
  /** The HTML part. */
  readonly html: string;
  /** The plain-text part. */
  readonly text: string;
  /** The variables and their sample values. */
  readonly variables: readonly { readonly name: string; readonly sample: string }[];
}

/** The users that receive a message. */
export type MessageAudience =
  | { readonly type: 'all' }
  | { readonly type: 'team'; readonly teamId: string }
  | { readonly type: 'users'; readonly userIds: readonly string[] }
  | {
      readonly type: 'filter';
      /** Whether the primary address is verified. */
      readonly isVerified?: boolean | undefined;
      /** Signed up at this time or later. */
      readonly signedUpFrom?: Date | undefined;
      /** Signed up before this time. */
      readonly signedUpTo?: Date | undefined;
      /** Active at this time or later. */
      readonly activeFrom?: Date | undefined;
      /** Users who have not been active since this time, or never. */
      readonly activeTo?: Date | undefined;
    };

/** The text of a message to users. */
export interface MessageDraft {
  /** The subject, with variables in double braces. */
  readonly subject: string;
  /** Blocks by id; the one called `root` is the entry. */
  readonly content: Json;
  /** E.g. `Marketing`. */
  readonly notificationCategoryName: string;
}

/** How many users a message reaches. */
export interface MessageAudienceCount {
  /** Users of the audience. */
  readonly matching: number;
  /** Those with an address who have not unsubscribed. */
  readonly reachable: number;
  /** Users without an address. */
  readonly withoutAddress: number;
  /** Users who have unsubscribed from the category. */
  readonly unsubscribed: number;
}

/** A message to users with its progress. A snapshot. */
export interface AdminMessage extends MessageDraft {
  /** Id of the message. */
  readonly id: string;
  /** The users that receive it. */
  readonly audience: MessageAudience;
  /** Creation time. */
  readonly createdAt: Date;
  /** The sender. The id is null for a key without a user. */
  readonly createdBy: { readonly type: string; readonly id: string | null };
  /** `sent`: every copy was added to the queue. */
  readonly state: 'sending' | 'sent' | 'canceled';
  /** Reachable users when the message was created. */
  readonly recipients: number;
  /** Copies that were added to the queue so far. */
  readonly queued: number;
  /** Copies in the queue. */
  readonly waiting: number;
  /** Copies that the mail server accepted. */
  readonly accepted: number;
  /** Copies that were given up. */
  readonly failed: number;
}

/** Previews, and messages to users. */
export interface MessageMethods {
  /**
   * Renders an unsaved template with sample values. Sends nothing. Not cached.
   *
   * @throws KnownErrors.EMAIL_RENDERING_ERROR when a block has a value that is not allowed.
   */
  previewEmailTemplate(
    type: EmailTemplateType,
    template: { readonly subject: string; readonly content: Json },
  ): Promise<EmailPreview>;
  /** Sends a template with sample values to one address. Parts that are left out are the stored ones. */
  sendTemplateTestEmail(
    type: EmailTemplateType,
    options: {
      readonly recipientEmail: string;
      readonly subject?: string | undefined;
      readonly content?: Json | undefined;
    },
  ): Promise<Result<undefined, { errorMessage: string }>>;
  /** Renders a message to users with sample values. Sends nothing. Not cached. */
  previewMessage(draft: MessageDraft): Promise<EmailPreview>;
  /** Counts the users that a message would reach. Not cached. */
  countMessageAudience(
    audience: MessageAudience,
    options: { readonly notificationCategoryName: string },
  ): Promise<MessageAudienceCount>;
  /**
   * Sends a message to users, except to those who have unsubscribed from its category. The copies are queued in batches.
   *
   * @param options.expectedRecipients the number that the admin confirmed; a larger audience is refused.
   * @example
   * const { reachable } = await app.countMessageAudience(audience, draft);
   * const message = await app.sendMessage({ ...draft, audience, expectedRecipients: reachable });
   */
  sendMessage(
    options: MessageDraft & { readonly audience: MessageAudience; readonly expectedRecipients: number },
  ): Promise<AdminMessage>;
  /** The newest messages to users, newest first. Not cached. */
  listMessages(): Promise<AdminMessage[]>;
  /** A message to users with its progress. Not cached. @throws when there is no such message. */
  getMessage(id: string): Promise<AdminMessage>;
  /** Removes the copies of a message that were not sent yet from the queue. */
  cancelMessage(id: string): Promise<AdminMessage>;
}

type MessageJson = Reply<Routes['GET /internal/extensions/messages/{id}'], 'admin'>;
type AudienceJson = Args<Routes['POST /internal/extensions/messages'], 'admin'>['body']['audience'];

export function messages({ call }: Context<'admin'>): { methods: MessageMethods } {
  const session = null;
  return {
    methods: {
      previewEmailTemplate: (type, { subject, content }) =>
        call('POST /internal/extensions/email-templates/{type}/preview', {
          params: { type },
          body: { subject, content },
          session,
        }),
      async sendTemplateTestEmail(type, { recipientEmail: recipient_email, subject, content }) {
        const body = { recipient_email, subject, content };
        const route = 'POST /internal/extensions/email-templates/{type}/test';
        const answer = await call(route, { params: { type }, body, session });
        return answer.success ? ok(undefined) : failed({ errorMessage: answer.error_message });
      },
      previewMessage: draft =>
        call('POST /internal/extensions/messages/preview', { body: draftToWire(draft), session }),
      async countMessageAudience(audience, { notificationCategoryName: notification_category_name }) {
        const body = { audience: audienceToWire(audience), notification_category_name };
        const counts = await call('POST /internal/extensions/messages/audience', { body, session });
        const { matching, reachable, without_address: withoutAddress, unsubscribed } = counts;
        return { matching, reachable, withoutAddress, unsubscribed };
      },
      async sendMessage({ audience, expectedRecipients: expected_recipients, ...draft }) {
        const body = { ...draftToWire(draft), audience: audienceToWire(audience), expected_recipients };
        return messageFromWire(await call('POST /internal/extensions/messages', { body, session }));
      },
      listMessages: async () =>
        (await call('GET /internal/extensions/messages', { session })).items.map(messageFromWire),
      getMessage: async id =>
        messageFromWire(await call('GET /internal/extensions/messages/{id}', { params: { id }, session })),
      cancelMessage: async id =>
        messageFromWire(await call('POST /internal/extensions/messages/{id}/cancel', { params: { id }, session })),
    },
  };
}

function draftToWire({ subject, content, notificationCategoryName }: MessageDraft) {
  return { subject, content, notification_category_name: notificationCategoryName };
}

function audienceToWire(audience: MessageAudience): AudienceJson {
  switch (audience.type) {
    case 'all':
      return { type: 'all' };
    case 'team':
      return { type: 'team', team_id: audience.teamId };
    case 'users':
      return { type: 'users', user_ids: [...audience.userIds] };
    case 'filter':
      return {
        type: 'filter',
        is_verified: audience.isVerified,
        signed_up_from_millis: audience.signedUpFrom?.getTime(),
        signed_up_to_millis: audience.signedUpTo?.getTime(),
        active_from_millis: audience.activeFrom?.getTime(),
        active_to_millis: audience.activeTo?.getTime(),
      };
  }
}

function audienceFromWire(audience: AudienceJson): MessageAudience {
  switch (audience.type) {
    case 'all':
      return { type: 'all' };
    case 'team':
      return { type: 'team', teamId: audience.team_id };
    case 'users':
      return { type: 'users', userIds: audience.user_ids };
    case 'filter':
      return filterFromWire(audience);
  }
}

function filterFromWire(filter: Extract<AudienceJson, { type: 'filter' }>): MessageAudience {
  const time = (millis: number | undefined) => (millis === undefined ? undefined : new Date(millis));
  const times = {
    signedUpFrom: time(filter.signed_up_from_millis),
    signedUpTo: time(filter.signed_up_to_millis),
    activeFrom: time(filter.active_from_millis),
    activeTo: time(filter.active_to_millis),
  };
  const given = Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined));
  return { type: 'filter', ...(filter.is_verified !== undefined && { isVerified: filter.is_verified }), ...given };
}

function messageFromWire(wire: MessageJson): AdminMessage {
  const { id, subject, content, state, recipients, queued, waiting, accepted, failed: failedCount } = wire;
  return Object.freeze({
    id,
    subject,
    content,
    notificationCategoryName: wire.notification_category_name,
    audience: audienceFromWire(wire.audience),
    createdAt: new Date(wire.created_at_millis),
    createdBy: wire.created_by,
    state,
    recipients,
    queued,
    waiting,
    accepted,
    failed: failedCount,
  });
}
