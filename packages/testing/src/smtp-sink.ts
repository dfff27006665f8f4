import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TestCertificate } from './certificates.ts';

/** An email as a mail program would show it. */
export interface SinkEmail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** By lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the headers in their order. */
  readonly headerNames: readonly string[];
  readonly text: string;
  readonly html: string;
  /** Whether it arrived over TLS. */
  readonly isEncrypted: boolean;
}

export interface SmtpSink {
  readonly url: string;
  readonly mails: SinkEmail[];
  /** The number of connections so far. */
  connectionCount(): number;
  close(): Promise<void>;
}

/** The response that refuses an email. */
export type Refusal = { readonly code: number; readonly message: string } | 'hang up';

export interface SinkOptions {
  /** Called for each recipient. */
  readonly refuse?: (to: string) => Refusal | undefined;
  readonly refuseLogin?: boolean;
  /** Uses TLS: from the first byte, or after STARTTLS. */
  readonly tls?: TestCertificate & { readonly isFirst: boolean };
  /** Called when an email is complete, before it is acknowledged. */
  readonly beforeAccepted?: (mail: SinkEmail) => Promise<void> | void;
}

/** A local mail server that stores the emails it receives. */
export async function openSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const mails: SinkEmail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...(options.tls === undefined
      ? { disabledCommands: ['STARTTLS'] }
      : { key: options.tls.key, cert: options.tls.cert, secure: options.tls.isFirst }),
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onAuth: (_auth, _session, done) => {
      if (options.refuseLogin === true) return done(Object.assign(new Error('No'), { responseCode: 535 }));
      done(null, { user: 'user' });
    },
    onRcptTo: ({ address }, session, done) => {
      const refusal = options.refuse?.(address);
      if (refusal === 'hang up') return destroyConnection(server, session.id);
      if (refusal === undefined) return done();
      done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const envelope = { from, to: rcptTo.map(({ address }) => address) };
        const mail = { ...readMail(Buffer.concat(chunks), envelope), isEncrypted: session.secure };
        mails.push(mail);
        await options.beforeAccepted?.(mail);
        done();
      });
    },
  } satisfies SMTPServerOptions);
  server.on('error', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    connectionCount: () => connections,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

interface Connections {
  readonly connections: Iterable<{ readonly id: string; readonly _socket: { destroy(): void } }>;
}

function destroyConnection(server: unknown, sessionId: string): void {
  const { connections } = server as Connections;
  for (const connection of connections) if (connection.id === sessionId) connection._socket.destroy();
}

/** Parses our emails: headers, and a text and an HTML part (RFC 2045 to 2047). */
export function readMail(raw: Buffer, envelope: SinkEmail['envelope']): Omit<SinkEmail, 'isEncrypted'> {
  const { headers, names, body } = split(raw.toString('latin1'));
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map(part => split(part.trimStart()));
  const partOf = (type: string) => {
    const part = parts.find(one => one.headers['content-type']?.startsWith(type));
    return part === undefined ? '' : decodeBody(part);
  };
  const decoded = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeWords(value)]));
  return { envelope, headers: decoded, headerNames: names, text: partOf('text/plain'), html: partOf('text/html') };
}

function split(text: string): { headers: Record<string, string>; names: string[]; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const pairs = lines.map(line => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { headers: Object.fromEntries(pairs), names: pairs.map(([name = '']) => name), body: text.slice(end + 4) };
}

function decodeBody({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n');
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replace(/=\r\n/g, '')) : body;
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function decodeQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(decodeQuotedPrintable(text.replaceAll('_', ' ')), 'latin1').toString(),
    );
}
