import type { SinkEmail, SmtpSink } from '@tessera/testing/smtp-sink';
import { until } from '@tessera/testing/until';
import type { TesseraServer } from './tessera-server.ts';

/** What a test reads of an email. */
interface MailContent {
  readonly subject: string;
  readonly text: string;
}

/** An email that the server caught instead of sending it. */
export interface CaughtMail extends MailContent {
  readonly id: string;
  readonly to: string | readonly string[];
}

/** Waits for an email to an address with a matching subject or text, and returns the newest. */
export function mailTo(server: Pick<TesseraServer, 'url'>, address: string, about: RegExp): Promise<CaughtMail> {
  return until(`an email about ${about} to ${address}`, async () => {
    const response = await fetch(`${server.url}/dev/mail.json`);
    const { items }: { items: readonly CaughtMail[] } = await response.json();
    return items.find(mail => [mail.to].flat().join(' ').includes(address) && about.test(mail.subject + mail.text));
  });
}

/** Waits for an email with a matching subject at a mail server, and returns the newest. */
export function deliveredTo(sink: SmtpSink, address: string, about: RegExp): Promise<SinkEmail & MailContent> {
  return until(`an email about ${about} to ${address}`, () =>
    sink.mails
      .map(mail => ({ ...mail, subject: mail.headers.subject ?? '' }))
      .findLast(({ envelope, subject }) => envelope.to.includes(address) && about.test(subject)),
  );
}

/** The link in an email, as path and query, for a page of the app. */
export function linkIn({ text }: Pick<MailContent, 'text'>): string {
  const [link] = /https?:\/\/\S+[?&]code=\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`there is no link in: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** The six-character code of a sign-in email, which has its own line. */
export function codeIn({ text }: Pick<MailContent, 'text'>): string {
  const [code] = /^[0-9A-Z]{6}$/m.exec(text) ?? [];
  if (code === undefined) throw new Error(`there is no code in: ${text}`);
  return code;
}
