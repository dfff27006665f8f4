import type { Socket } from 'node:net';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { type MailFailure, mailFailure, type RawFailure } from '../queue/failures.ts';
import { composeEmail } from './compose.ts';
import type { Message, Transport } from './transport.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start; otherwise STARTTLS if the server offers it. */
  readonly isSecure: boolean;
  /** Fails without STARTTLS. */
  readonly requiresTls: boolean;
  readonly username: string;
  readonly password: string;
}

/** Timeouts and connection limits of a server. */
export interface SmtpLimits {
  /** Until the greeting. */
  readonly connectionTimeoutMs: number;
  /** Without data from the server. */
  readonly socketTimeoutMs: number;
  /** Per email in total. */
  readonly totalMs: number;
  readonly maxConnections: number;
  /** Idle connections close after this time. */
  readonly idleTimeoutMs: number;
  /** Retries of an email whose connection closed before the server received data. */
  readonly maxRequeues: number;
}

/** For the operator's server. */
const trustedLimits: SmtpLimits = {
  connectionTimeoutMs: 10_000,
  socketTimeoutMs: 30_000,
  totalMs: 120_000,
  maxConnections: 8,
  idleTimeoutMs: 240_000,
  maxRequeues: 5,
};

export interface SmtpOptions {
  readonly limits?: SmtpLimits;
  /** Opens a connection; default: by the host name without a check. */
  readonly connect?: (server: SmtpServer) => Promise<Socket>;
}

const answerMaxLength = 1_000;

/** A transport to a mail server over a few pooled connections. */
export function smtpTransport(smtp: SmtpServer, options: SmtpOptions = {}): Transport {
  const limits = options.limits ?? trustedLimits;
  let opened: Promise<Mailer> | undefined;
  return {
    server: { host: smtp.host, port: smtp.port, username: smtp.username },
    async send(message) {
      if (!isAddress(message.to) || !isAddress(message.from.address)) return invalidAddress;
      opened ??= openMailer(smtp, { ...options, limits });
      return sendWith(await opened, message, { host: smtp.host, signal: AbortSignal.timeout(limits.totalMs) });
    },
    close: () => {
      opened?.then(mailer => mailer.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

type Mailer = Awaited<ReturnType<typeof openMailer>>;

/** The mail client is loaded with the first email, to save memory. */
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
    ...(connect === undefined ? {} : { getSocket: (_, done) => passSocket(connect(smtp), done) }),
  };
  return createTransport(options);
}

function passSocket(
  opening: Promise<Socket>,
  done: (error: Error | null, given?: { connection: Socket } | false) => void,
): void {
  opening.then(
    connection => done(null, { connection }),
    (error: Error) => done(error, false),
  );
}

async function sendWith(
  mailer: Mailer,
  message: Message,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<MailFailure | null> {
  try {
    await mailer.sendMail({ ...rawEmail(message), signal });
    return null;
  } catch (error) {
    return mailFailure(rawFailure(error), host);
  }
}

/** The envelope is separate from the headers: a comma in a name adds no recipient (control 74). */
function rawEmail(message: Message) {
  return { envelope: { from: message.from.address, to: [message.to] }, raw: composeEmail(message, Date.now()) };
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

/** Refuses characters that could end a line or an address. The mail server checks the rest. */
function isAddress(address: string): boolean {
  return /^[^\s<>\p{Cc}]+@[^\s<>\p{Cc}@]+$/u.test(address);
}

const invalidAddress: MailFailure = {
  type: 'INVALID_EMAIL_ADDRESS',
  canRetry: false,
  message: 'The address of the recipient or of the sender is not valid.',
  raw: {},
};
