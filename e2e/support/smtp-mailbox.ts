import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { CaughtMail } from './mail.ts';
import { until } from './until.ts';

/** An email as the mail server received it. */
export interface DeliveredMail extends CaughtMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** Values of the headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A mail server on this machine that keeps all emails. */
export interface SmtpMailbox {
  /** For `TESSERA_SMTP_URL`. */
  readonly url: string;
  /** Waits for an email to an address with a matching subject, and returns the newest. */
  mailTo(address: string, subject: RegExp): Promise<DeliveredMail>;
  close(): Promise<void>;
}

export async function openSmtpMailbox(): Promise<SmtpMailbox> {
  const mails: DeliveredMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: async (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      mails.unshift({ envelope: { from, to }, ...readMail(Buffer.concat(chunks)) });
      done();
    },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailTo: (address, subject) =>
      until(`an email about ${subject} to ${address}`, () =>
        mails.find(mail => mail.envelope.to.includes(address) && subject.test(mail.subject)),
      ),
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

/** The part of RFC 2045 to 2047 that an email with a text and an HTML part needs. */
function readMail(raw: Buffer): Omit<DeliveredMail, 'envelope'> {
  const { headers, body } = split(raw.toString('latin1'));
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts = body.split(`--${boundary}`).slice(1, -1).map(split);
  const plain = parts.find(part => part.headers['content-type']?.startsWith('text/plain'));
  if (plain === undefined) throw new Error('the email has no text part');
  return { headers, subject: decodeWords(headers.subject ?? ''), text: decodeBody(plain) };
}

interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function split(part: string): Part {
  const [head = '', ...rest] = part.trimStart().split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const pairs = lines.map(line => [line.split(':', 1).join().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  return { headers: Object.fromEntries(pairs), body: rest.join('\r\n\r\n') };
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n');
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replaceAll('=\r\n', '')) : body;
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

function decodeQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeWords(value: string): string {
  return value.replace(/=\?utf-8\?([QB])\?([^?]*)\?=\s*/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(decodeQuotedPrintable(text.replaceAll('_', ' ')), 'latin1').toString(),
  );
}
