import type { Json, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Read, type Reads, readOf } from '../../cache/resource.ts';
import { failed, ok, type Result } from '../../errors/result.ts';
import { type EmailConfig, mailServerToWire } from './project-config.ts';

type TemplateJson = Reply<Routes['GET /email-templates/{type}'], 'admin'>;
type SentJson = Reply<Routes['GET /internal/emails'], 'admin'>['items'][number];

/** The words of a mail. A snapshot. */
export interface AdminEmailTemplate {
  /** Which mail it is. */
  readonly type: EmailTemplateType;
  /** Its subject, with variables in double braces. */
  readonly subject: string;
  /** Blocks by id; the one called `root` is the entry. */
  readonly content: Json;
  /** Whether these are the words that come with the installation. */
  readonly isDefault: boolean;
}

/** A mail that a project may word itself. */
export type EmailTemplateType = TemplateJson['type'];

/** An attempt to send a mail. */
export interface AdminSentEmail {
  /** Id of the attempt. */
  readonly id: string;
  /** The addresses that it was for. */
  readonly to: readonly string[];
  /** Its subject, filled in. */
  readonly subject: string;
  /** The first of `to`, or empty. */
  readonly recipient: string;
  /** When it was tried. */
  readonly sentAt: Date;
  /** Why it failed; absent when the mail was handed over. */
  readonly error?: Json;
}

/** Reads of an admin app about mails. */
export interface EmailReads {
  /** The wording of every mail, in a fixed order. */
  listEmailTemplates(): Promise<readonly AdminEmailTemplate[]>;
}

/** Wording, trying and looking after mails. */
export interface EmailMethods {
  /** A part that is not given stays. @throws when the project uses the mail server of the installation. */
  updateEmailTemplate(type: EmailTemplateType, changes: { subject?: string; content?: Json }): Promise<void>;
  /** Goes back to the words that come with the installation. @throws when it has no others. */
  resetEmailTemplate(type: EmailTemplateType): Promise<void>;
  /** Tries a mail server once, without changing the settings of the project. */
  sendTestEmail(options: {
    recipientEmail: string;
    emailConfig: EmailConfig;
  }): Promise<Result<undefined, { errorMessage: string }>>;
  /** Invites an address to sign in. Makes no account. @throws when the project does not trust the callback URL. */
  sendSignInInvitationEmail(email: string, callbackUrl: string): Promise<void>;
  /** The hundred newest attempts to send a mail, newest first. Not cached. */
  listSentEmails(): Promise<readonly AdminSentEmail[]>;
}

/** What only hooks of React read. */
export interface EmailHookReads {
  /** What a mail looks like in a theme, as HTML. */
  getEmailThemePreview(theme: 'default-light' | 'default-dark', content: string): Promise<string>;
}

export function emails(ctx: Context<'admin'>): {
  reads: Reads<EmailReads>;
  methods: EmailMethods;
  hookReads: { getEmailThemePreview: Read<Parameters<EmailHookReads['getEmailThemePreview']>, string> };
} {
  const { call, resources } = ctx;
  const session = null;

  const templates = resources.make('emailTemplates', () => ({
    load: async () => (await call('GET /email-templates', { session })).items.map(templateFromWire),
  }));

  const previews = resources.make(null, (theme: 'default-light' | 'default-dark', preview_html: string) => ({
    load: async () => (await call('POST /emails/render-email', { body: { theme, preview_html }, session })).html,
  }));

  return {
    reads: { listEmailTemplates: readOf(() => templates.entry()) },
    hookReads: { getEmailThemePreview: readOf((theme, content) => previews.entry(theme, content)) },
    methods: {
      async updateEmailTemplate(type, { subject, content }) {
        await call('PATCH /email-templates/{type}', { params: { type }, body: { subject, content }, session });
        await resources.renew('emailTemplates');
      },
      async resetEmailTemplate(type) {
        await call('DELETE /email-templates/{type}', { params: { type }, session });
        await resources.renew('emailTemplates');
      },
      async sendTestEmail({ recipientEmail, emailConfig }) {
        const body = { recipient_email: recipientEmail, email_config: mailServerToWire(emailConfig) };
        const answer = await call('POST /internal/send-test-email', { body, session });
        return answer.success ? ok(undefined) : failed({ errorMessage: answer.error_message });
      },
      async sendSignInInvitationEmail(email, callback_url) {
        await call('POST /internal/send-sign-in-invitation', { body: { email, callback_url }, session });
      },
      listSentEmails: async () => (await call('GET /internal/emails', { session })).items.map(sentEmailFromWire),
    },
  };
}

function templateFromWire({ type, subject, content, is_default }: TemplateJson): AdminEmailTemplate {
  return Object.freeze({ type, subject, content, isDefault: is_default });
}

function sentEmailFromWire(wire: SentJson): AdminSentEmail {
  return Object.freeze({
    id: wire.id,
    to: wire.to,
    subject: wire.subject,
    recipient: wire.to[0] ?? '',
    sentAt: new Date(wire.sent_at_millis),
    ...(wire.error !== null && { error: wire.error }),
  });
}
