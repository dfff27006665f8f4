import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { type MailFailure, mailFailure, type RawFailure } from './failures.ts';
import type { Message, Transport } from './transport.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  readonly isSecure: boolean;
  readonly username: string;
  readonly password: string;
}

const connectionTimeoutMs = 10_000;
const socketTimeoutMs = 30_000;
const maxConnections = 4;
const answerMaxLength = 1_000;

/** A mail server, over a few connections that stay open while there is mail. */
export function smtpTransport(smtp: SmtpServer): Transport {
  let opened: Promise<Mailer> | undefined;
  return {
    server: { host: smtp.host, port: smtp.port, username: smtp.username },
    async hand(message) {
      if (!isAddress(message.to)) return invalidRecipient;
      opened ??= openMailer(smtp);
      return handTo(await opened, message, smtp.host);
    },
    close: () => {
      opened?.then(mailer => mailer.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

type Mailer = Awaited<ReturnType<typeof openMailer>>;

/** Loaded with the first mail: a server that sends none need not hold it in memory. */
async function openMailer({ host, port, isSecure, username, password }: SmtpServer) {
  const { createTransport } = await import('nodemailer');
  const options: SMTPPool.Options = {
    pool: true,
    host,
    port,
    secure: isSecure,
    maxConnections,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
  };
  return createTransport(options);
}

async function handTo(mailer: Mailer, message: Message, host: string): Promise<MailFailure | null> {
  try {
    await mailer.sendMail(mailOf(message));
    return null;
  } catch (error) {
    return mailFailure(rawFailure(error), host);
  }
}

/** Addresses are given as objects, which are not parsed: a comma in a name cannot become another recipient (control 74). */
export function mailOf({ id, from, to, subject, html, text }: Message) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${id}@${domain}>`,
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    html,
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function rawFailure(error: unknown): RawFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, responseCode, response } = error as Error & Record<string, unknown>;
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof response === 'string' ? { response: response.slice(0, answerMaxLength) } : {}),
    message: error.message.slice(0, answerMaxLength),
  };
}

/** Nothing that could end a line or an address; what else is valid is the mail server's business. */
function isAddress(address: string): boolean {
  return /^[^\s<>\p{Cc}]+@[^\s<>\p{Cc}@]+$/u.test(address);
}

const invalidRecipient: MailFailure = {
  type: 'INVALID_EMAIL_ADDRESS',
  canRetry: false,
  message: 'The address of the recipient is not valid.',
  raw: {},
};
