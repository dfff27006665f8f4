import type { Json, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import { type Read, type Reads, readOf } from '../../../cache/resource.ts';
import { failed, ok, type Result } from '../../../errors/result.ts';
import { type EmailConfig, mailServerToWire } from '../project-config.ts';

type TemplateJson = Reply<Routes['GET /email-templates/{type}'], 'admin'>;
type SentJson = Reply<Routes['GET /internal/emails'], 'admin'>['items'][number];

/** An email template. A snapshot. */
export interface AdminEmailTemplate {
  /** The type of email. */
  readonly type: EmailTemplateType;
  /** Subject of the email, with variables in double braces. */
  readonly subject: string;
  /** Blocks by id; the one called `root` is the entry. */
  readonly content: Json;
  /** Whether it is the default template of the installation. */
  readonly isDefault: boolean;
}

/** A type of email with a template. */
export type EmailTemplateType = TemplateJson['type'];

/** An attempt to send an email. */
export interface AdminSentEmail {
  /** Id of the attempt. */
  readonly id: string;
  /** The recipients. */
  readonly to: string[];
  /** The rendered subject. */
  readonly subject: string;
  /** The first of `to`, or an empty string. */
  readonly recipient: string;
  /** Time of the attempt. */
  readonly sentAt: Date;
  /** The error; absent after a successful delivery to the mail server. */
  readonly error?: Json;
}

/** Reads of an admin app about emails. */
export interface EmailReads {
  /** The templates of all email types, in a fixed order. */
  listEmailTemplates(): Promise<AdminEmailTemplate[]>;
}

/** Templates, test emails and the email log. */
export interface EmailMethods {
  /** A part that is left out keeps its value. @throws when the project uses the mail server of the installation. */
  updateEmailTemplate(
    type: EmailTemplateType,
    changes: { subject?: string | undefined; content?: Json | undefined },
  ): Promise<void>;
  /** Resets the template to the default. @throws when it is the default. */
  resetEmailTemplate(type: EmailTemplateType): Promise<void>;
  /** Sends a test email through a mail server. The project's settings stay the same. */
  sendTestEmail(options: {
    recipientEmail: string;
    emailConfig: EmailConfig;
  }): Promise<Result<undefined, { errorMessage: string }>>;
  /** Emails a sign-in invitation. Creates no account. @throws when the project does not trust the callback URL. */
  sendSignInInvitationEmail(email: string, callbackUrl: string): Promise<void>;
  /** The hundred newest attempts to send an email, newest first. Not cached. */
  listSentEmails(): Promise<AdminSentEmail[]>;
}

/** Reads that only have React hooks. */
export interface EmailHookReads {
  /** The HTML of an email in a theme. */
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

export function sentEmailFromWire(wire: SentJson): AdminSentEmail {
  return Object.freeze({
    id: wire.id,
    to: wire.to,
    subject: wire.subject,
    recipient: wire.to[0] ?? '',
    sentAt: new Date(wire.sent_at_millis),
    ...(wire.error !== null && { error: wire.error }),
  });
}
