import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type MailMessage from 'nodemailer/lib/mailer/mail-message';
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
  /** The time without data from the server after which a connection ends. */
  readonly socketTimeoutMs: number;
  /** Per email in total. */
  readonly totalMs: number;
  readonly maxConnections: number;
  /** Idle connections close after this time. */
  readonly idleTimeoutMs: number;
  /** Retries of an email whose connection closed before the server received data. */
  readonly maxRequeues: number;
}

/** The limits of the operator's mail server. */
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
      opened ??= openMailer(smtp, { ...options, limits }).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return sendWith(await opened, message, { host: smtp.host, signal: AbortSignal.timeout(limits.totalMs) });
    },
    close: () => {
      opened?.then(({ pool }) => pool.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

interface Mailer {
  readonly pool: SMTPPool;
  /** The addresses of an envelope as the mail client writes them: domains in ASCII, unusual local parts in quotes. */
  readonly envelopeOf: (from: string, to: string) => object;
}

/** The mail client is loaded with the first email, to save memory. */
async function openMailer(
  smtp: SmtpServer,
  { limits, connect }: SmtpOptions & { limits: SmtpLimits },
): Promise<Mailer> {
  const [{ default: Pool }, { default: MimeNode }] = await Promise.all([
    import('nodemailer/lib/smtp-pool'),
    import('nodemailer/lib/mime-node'),
  ]);
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
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    ...(connect === undefined ? {} : { getSocket: (_, done) => passSocket(connect(smtp), done) }),
  };
  // As an object an address is never read as a list.
  const asObject = (address: string) => ({ name: '', address });
  const normalized = (from: string, to: string) =>
    new MimeNode().setEnvelope({ from: asObject(from), to: [asObject(to)] }).getEnvelope();
  return {
    pool: new Pool(options),
    envelopeOf: (from, to) => (isPlain(from) && isPlain(to) ? { from, to: [to] } : normalized(from, to)),
  };
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
  { pool, envelopeOf }: Mailer,
  message: Message,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<MailFailure | null> {
  const content = Buffer.from(composeEmail(message, Date.now()));
  // What the pool reads of a message. The library's own message builds the email from parts; with a complete one that takes
  // more time than the delivery.
  const mail = {
    data: { signal },
    message: {
      // The envelope is separate from the headers: a comma in a name adds no recipient (control 74).
      getEnvelope: () => envelopeOf(message.from.address, message.to),
      messageId: () => '',
      getHeader: () => '',
      // A new one for each connection that the pool tries.
      createReadStream: () => readOnce(content),
    },
  } as unknown as MailMessage<SMTPPool.SentMessageInfo>;
  return new Promise(resolve => {
    pool.send(mail, error => resolve(error === null ? null : mailFailure(rawFailure(error), host)));
  });
}

function readOnce(content: Buffer): Readable {
  return new Readable({
    read() {
      this.push(content);
      this.push(null);
    },
  });
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

/** An address that is its own normal form. */
function isPlain(address: string): boolean {
  return /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*$/.test(address);
}

const invalidAddress: MailFailure = {
  type: 'INVALID_EMAIL_ADDRESS',
  canRetry: false,
  message: 'The address of the recipient or of the sender is not valid.',
  raw: {},
};
