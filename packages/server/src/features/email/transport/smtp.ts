import type { Socket } from 'node:net';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { type MailFailure, mailFailure, type RawFailure } from '../queue/failures.ts';
import type { Message, Transport } from './transport.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  readonly isSecure: boolean;
  /** Without STARTTLS nothing is sent. */
  readonly requiresTls: boolean;
  readonly username: string;
  readonly password: string;
}

/** How long a server may take, and how much it may hold. */
export interface SmtpLimits {
  /** Until it greets. */
  readonly connectionTimeoutMs: number;
  /** Without a word. */
  readonly socketTimeoutMs: number;
  /** For one letter, whatever it says meanwhile. */
  readonly totalMs: number;
  readonly maxConnections: number;
  /** Connections without work end after this. */
  readonly idleTimeoutMs: number;
  /** How often a letter is handed over again whose connection ended before the server had any of it. */
  readonly maxRequeues: number;
}

/** Of the operator's own server. */
const trustedLimits: SmtpLimits = {
  connectionTimeoutMs: 10_000,
  socketTimeoutMs: 30_000,
  totalMs: 120_000,
  maxConnections: 4,
  idleTimeoutMs: 240_000,
  maxRequeues: 5,
};

export interface SmtpOptions {
  readonly limits?: SmtpLimits;
  /** Opens a connection; to whatever the name stands for otherwise. */
  readonly connect?: (server: SmtpServer) => Promise<Socket>;
}

const answerMaxLength = 1_000;

/** A mail server, over a few connections that stay open while there is mail. */
export function smtpTransport(smtp: SmtpServer, options: SmtpOptions = {}): Transport {
  const limits = options.limits ?? trustedLimits;
  let opened: Promise<Mailer> | undefined;
  return {
    server: { host: smtp.host, port: smtp.port, username: smtp.username },
    async hand(message) {
      if (!isAddress(message.to) || !isAddress(message.from.address)) return invalidAddress;
      opened ??= openMailer(smtp, { ...options, limits });
      return handTo(await opened, message, { host: smtp.host, signal: AbortSignal.timeout(limits.totalMs) });
    },
    close: () => {
      opened?.then(mailer => mailer.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

type Mailer = Awaited<ReturnType<typeof openMailer>>;

/** Loaded with the first mail: a server that sends none need not hold it in memory. */
async function openMailer(smtp: SmtpServer, { limits, connect }: SmtpOptions & { limits: SmtpLimits }) {
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, requiresTls, username, password } = smtp;
  const options: SMTPPool.Options = {
    pool: true,
    host,
    port,
    secure: isSecure,
    requireTLS: requiresTls,
    maxConnections: limits.maxConnections,
    maxRequeues: limits.maxRequeues,
    connectionTimeout: limits.connectionTimeoutMs,
    greetingTimeout: limits.connectionTimeoutMs,
    dnsTimeout: limits.connectionTimeoutMs,
    socketTimeout: limits.socketTimeoutMs,
    idleTimeout: limits.idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    ...(connect === undefined ? {} : { getSocket: (_, done) => giveSocket(connect(smtp), done) }),
  };
  return createTransport(options);
}

function giveSocket(
  opening: Promise<Socket>,
  done: (error: Error | null, given?: { connection: Socket } | false) => void,
): void {
  opening.then(
    connection => done(null, { connection }),
    (error: Error) => done(error, false),
  );
}

async function handTo(
  mailer: Mailer,
  message: Message,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<MailFailure | null> {
  try {
    await mailer.sendMail({ ...mailOf(message), signal });
    return null;
  } catch (error) {
    return mailFailure(rawFailure(error), host);
  }
}

/** Addresses are given as objects, which are not parsed: a comma in a name cannot become another recipient (control 74). */
export function mailOf({ id, from, to, subject, html, text, unsubscribeUrl }: Message) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${id}@${domain}>`,
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    ...(html === '' ? {} : { html }),
    text,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
  };
}

/** RFC 8058: the mail program shows a button, and a POST to the URL is enough. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
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

const invalidAddress: MailFailure = {
  type: 'INVALID_EMAIL_ADDRESS',
  canRetry: false,
  message: 'The address of the recipient or of the sender is not valid.',
  raw: {},
};
