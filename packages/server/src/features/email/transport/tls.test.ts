import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { foreignCertificate, localCertificate, type TestCertificate } from '@tessera/testing/certificates';
import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOwnMailServers } from './project-servers.ts';
import { type SmtpServer, smtpTransport } from './smtp.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** Adds the certificate to the trusted authorities. */
function trust({ cert }: TestCertificate): void {
  const create = tls.createSecureContext;
  vi.spyOn(tls, 'createSecureContext').mockImplementation(options => create({ ...options, ca: cert }));
}

async function openSink(options: SinkOptions): Promise<SmtpSink & { port: number }> {
  const sink = await openSmtpSink(options);
  closing.push(sink.close);
  return { ...sink, port: Number(new URL(sink.url).port) };
}

const message = () => ({
  id: randomUUID(),
  projectId: 'internal',
  from: { name: 'Acme', address: 'mail@acme.example' },
  to: 'ada@example.com',
  subject: 'Test mail',
  html: '',
  text: 'This is a test.',
});

const serverAt = (port: number, fields: Partial<SmtpServer> = {}): SmtpServer => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  requiresTls: false,
  username: 'acme',
  password: 'top-secret',
  ...fields,
});

/** The ways to send: `send-test-email`, a project's server, the operator's server. */
const ways = {
  'a test email': async (server: SmtpServer, timeoutMs = 5_000) => {
    const servers = createOwnMailServers({ mayReach: () => true, timeoutMs });
    closing.push(servers.close);
    return servers.tryOnce(server, message());
  },
  'a project server': async (server: SmtpServer, timeoutMs = 5_000) => {
    const servers = createOwnMailServers({ mayReach: () => true, timeoutMs });
    closing.push(servers.close);
    return servers.transportTo(server, 'shop').send(message());
  },
  'the server of the operator': async (server: SmtpServer) => {
    const transport = smtpTransport(server);
    closing.push(transport.close);
    return transport.send(message());
  },
};

describe.each(Object.entries(ways))('%s', (_, send) => {
  describe.each([
    ['TLS from the first byte', true],
    ['STARTTLS', false],
  ])('%s', (__, isFirst) => {
    test('delivers the email and sends the password', async () => {
      trust(localCertificate);
      const sink = await openSink({ tls: { ...localCertificate, isFirst } });
      expect(await send(serverAt(sink.port, { isSecure: isFirst, host: 'localhost' }))).toBeNull();
      expect(sink.mails).toMatchObject([{ isEncrypted: true, envelope: { to: ['ada@example.com'] } }]);
    });

    test('control 86: an untrusted certificate is refused before the password is sent', async () => {
      const sink = await openSink({ tls: { ...localCertificate, isFirst } });
      expect(await send(serverAt(sink.port, { isSecure: isFirst }))).toMatchObject({
        type: 'UNKNOWN',
        canRetry: false,
        message: expect.stringMatching(/certificate/),
      });
      expect(sink.mails).toEqual([]);
    });

    test('a certificate of another host is refused', async () => {
      trust(foreignCertificate);
      const sink = await openSink({ tls: { ...foreignCertificate, isFirst } });
      expect(await send(serverAt(sink.port, { isSecure: isFirst, host: 'localhost' }))).toMatchObject({
        type: 'UNKNOWN',
        canRetry: false,
        message: expect.stringMatching(/altnames|certificate/),
      });
      expect(sink.mails).toEqual([]);
    });

    test('AUTH_FAILED: the password is refused', async () => {
      trust(localCertificate);
      const sink = await openSink({ tls: { ...localCertificate, isFirst }, refuseLogin: true });
      const failure = await send(serverAt(sink.port, { isSecure: isFirst, host: 'localhost' }));
      expect(failure).toMatchObject({ type: 'AUTH_FAILED', canRetry: false });
    });
  });

  test('control 86: when TLS is required, a mail server without STARTTLS gets no password and no email', async () => {
    const sink = await openSink({});
    expect(await send(serverAt(sink.port, { requiresTls: true }))).toMatchObject({
      type: 'UNKNOWN',
      canRetry: false,
      message: 'The mail server offers no TLS, which is required. Nothing was sent.',
    });
    expect(sink.mails).toEqual([]);
    expect(await send(serverAt(sink.port))).toBeNull();
  });

  test('UNKNOWN: TLS to a server without TLS', async () => {
    const sink = await openSink({});
    expect(await send(serverAt(sink.port, { isSecure: true }))).toMatchObject({ type: 'UNKNOWN', canRetry: false });
  });

  test('UNKNOWN with retry: the server closes the connection before the TLS handshake', async () => {
    const port = await listen(socket => socket.destroy());
    expect(await send(serverAt(port, { isSecure: true }))).toMatchObject({ type: 'UNKNOWN', canRetry: true });
  });
});

test.each([ways['a test email'], ways['a project server']])(
  'TIMEOUT: plain SMTP to a server that expects TLS',
  async send => {
    const sink = await openSink({ tls: { ...localCertificate, isFirst: true } });
    expect(await send(serverAt(sink.port), 100)).toMatchObject({ type: 'TIMEOUT', canRetry: true });
  },
);

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer(onConnection);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>(resolve => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}
