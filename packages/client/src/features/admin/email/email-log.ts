import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import { type AdminSentEmail, sentEmailFromWire } from './emails.ts';

/** An attempt to send an email, with the user and the message that it belongs to. */
export interface AdminLoggedEmail extends AdminSentEmail {
  /** The receiving user; null for an address without an account. */
  readonly userId: string | null;
  /** The message to users that the email is a copy of. */
  readonly messageId: string | null;
}

/** Which attempts to read. All conditions must hold. */
export interface EmailLogOptions {
  /** Emails to this user. */
  readonly userId?: string | undefined;
  /** Copies of this message. */
  readonly messageId?: string | undefined;
  /** A part of the address of a recipient, in any case. */
  readonly recipient?: string | undefined;
  /** Whether the mail server accepted the email. */
  readonly state?: 'accepted' | 'failed' | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Size of a page. Default 50, at most 100. */
  readonly limit?: number | undefined;
}

/** A page of the email log. */
export type EmailLogPage = AdminLoggedEmail[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** An attempt with what can be done about the email. */
export interface AdminLogEntry extends AdminLoggedEmail {
  /** The kind of email, e.g. `password_changed`; `broadcast` for one that the project wrote. Null for a test email. */
  readonly template: string | null;
  /**
   * Whether the email can be sent again. `waiting`: an attempt follows anyway. `accepted`: the mail server has accepted it.
   * `has_code`: a code is never sent twice. `canceled`: its message was canceled. `not_kept`: its content was deleted.
   */
  readonly resending: LogEntryJson['resending'];
  /** When a waiting email is tried; null when it is due, or does not wait. */
  readonly nextAttemptAt: Date | null;
}

/** An email that waits for an attempt. */
export interface AdminWaitingEmail {
  /** Id of the email. */
  readonly id: string;
  /** The kind of email, e.g. `magic_link`; `broadcast` for one that the project wrote. */
  readonly template: string;
  /** The address that it goes to. */
  readonly recipient: string;
  /** The receiving user; null for an address without an account. */
  readonly userId: string | null;
  /** The message to users that the email is a copy of. */
  readonly messageId: string | null;
  /** Since when it waits. */
  readonly createdAt: Date;
  /** Attempts that failed so far. */
  readonly attempts: number;
  /** The next attempt; null when it is due. */
  readonly nextAttemptAt: Date | null;
}

/** A page of the waiting emails. */
export type WaitingEmailPage = AdminWaitingEmail[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** The complete email log, and the emails that wait. */
export interface EmailLogMethods {
  /** Attempts to send an email by user, message and state, newest first, one page at a time. Not cached. */
  listEmailLog(options?: EmailLogOptions): Promise<EmailLogPage>;
  /** One attempt to send an email. Not cached. @throws when the log does not have it. */
  getLoggedEmail(id: string): Promise<AdminLogEntry>;
  /** Sends a failed email again. @throws when it cannot be sent again (`resending` of the entry), or when a limit is reached. */
  sendEmailAgain(id: string): Promise<AdminLogEntry>;
  /** The emails that wait for an attempt, newest first, one page at a time. Not cached. */
  listWaitingEmails(options?: {
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  }): Promise<WaitingEmailPage>;
}

type LogEntryJson = Reply<Routes['GET /internal/extensions/sent-emails/{id}'], 'admin'>;
type LoggedJson = Reply<Routes['GET /internal/extensions/sent-emails'], 'admin'>['items'][number];
type WaitingJson = Reply<Routes['GET /internal/extensions/waiting-emails'], 'admin'>['items'][number];

export function emailLog({ call }: Context<'admin'>): { methods: EmailLogMethods } {
  const session = null;
  return {
    methods: {
      async listEmailLog({ userId, messageId, recipient, state, cursor, limit } = {}) {
        const query = { user_id: userId, message_id: messageId, recipient, state, cursor, limit };
        const { items, pagination } = await call('GET /internal/extensions/sent-emails', { query, session });
        return Object.assign(items.map(loggedEmailFromWire), { nextCursor: pagination.next_cursor });
      },
      getLoggedEmail: async id =>
        entryFromWire(await call('GET /internal/extensions/sent-emails/{id}', { params: { id }, session })),
      sendEmailAgain: async id =>
        entryFromWire(await call('POST /internal/extensions/sent-emails/{id}/send-again', { params: { id }, session })),
      async listWaitingEmails(query = {}) {
        const { items, pagination } = await call('GET /internal/extensions/waiting-emails', { query, session });
        return Object.assign(items.map(waitingFromWire), { nextCursor: pagination.next_cursor });
      },
    },
  };
}

function loggedEmailFromWire(wire: LoggedJson): AdminLoggedEmail {
  return Object.freeze({ ...sentEmailFromWire(wire), userId: wire.user_id, messageId: wire.message_id });
}

function entryFromWire(wire: LogEntryJson): AdminLogEntry {
  const { template, resending, next_attempt_at_millis } = wire;
  return Object.freeze({
    ...loggedEmailFromWire(wire),
    template,
    resending,
    nextAttemptAt: timeOf(next_attempt_at_millis),
  });
}

function waitingFromWire(wire: WaitingJson): AdminWaitingEmail {
  const { id, template, recipient, attempts } = wire;
  return Object.freeze({
    id,
    template,
    recipient,
    attempts,
    userId: wire.user_id,
    messageId: wire.message_id,
    createdAt: new Date(wire.created_at_millis),
    nextAttemptAt: timeOf(wire.next_attempt_at_millis),
  });
}

function timeOf(millis: number | null): Date | null {
  return millis === null ? null : new Date(millis);
}
