import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { anId } from '@tessera/testing/outcome';
import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, plainPasswords, type Scene, success } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let sink: SmtpSink | undefined;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  return () => server.close();
});
beforeEach(async () => {
  scene = await openScene(server);
});
afterEach(async () => {
  await sink?.close();
  sink = undefined;
});

const config = {
  host: '127.0.0.1',
  port: 0,
  username: 'acme',
  password: 'top-secret',
  sender_name: 'Acme',
  sender_email: 'mail@acme.example',
};
const tryConfig = (fields: object, more: object = {}) =>
  scene.call('POST /internal/send-test-email', {
    level: 'admin',
    body: { recipient_email: 'ada@example.com', email_config: { ...config, ...fields }, ...more },
  });
const failed = (words: RegExp) => ({
  status: 200,
  body: { success: false, error_message: expect.stringMatching(words) },
});

async function openSink(options?: SinkOptions): Promise<{ port: number }> {
  sink = await openSmtpSink(options);
  return { port: Number(new URL(sink.url).port) };
}

async function logged(): Promise<{ error: { errorType?: string } | null }[]> {
  const { body } = (await scene.call('GET /internal/emails', { level: 'admin' })) as { body: { items: never[] } };
  return body.items;
}

describe('POST /internal/send-test-email', () => {
  test('sends a plain text through the given server and logs it', async () => {
    const { port } = await openSink();
    expect(await tryConfig({ port })).toEqual(success);
    expect(sink?.mails).toMatchObject([
      {
        envelope: { from: 'mail@acme.example', to: ['ada@example.com'] },
        headers: {
          from: 'Acme <mail@acme.example>',
          subject: 'Test mail',
          'content-type': 'text/plain; charset=utf-8',
        },
      },
    ]);
    expect(await logged()).toEqual([
      {
        id: anId,
        subject: 'Test mail',
        to: ['ada@example.com'],
        sent_at_millis: server.clock.now(),
        sender_config: {
          type: 'standard',
          host: '127.0.0.1',
          port,
          username: 'acme',
          sender_name: 'Acme',
          sender_email: 'mail@acme.example',
        },
        error: null,
      },
    ]);
    expect(JSON.stringify(await logged()) + server.logged()).not.toContain('top-secret');
  });

  test('does not change the project’s configuration', async () => {
    const { port } = await openSink();
    await tryConfig({ port });
    const loaded = await server.deps.projects.find(scene.project.id);
    expect(loaded?.project.config.emailConfig).toEqual({ type: 'shared' });
  });

  test.each<[string, SinkOptions, RegExp]>([
    ['AUTH_FAILED', { refuseLogin: true }, /refused the user name or the password/],
    ['TEMPORARY', { refuse: () => ({ code: 450, message: 'Come later' }) }, /for now.*Come later/],
    ['INVALID_EMAIL_ADDRESS', { refuse: () => ({ code: 553, message: 'No such box' }) }, /not valid.*No such box/],
    ['REJECTED', { refuse: () => ({ code: 554, message: 'Spam' }) }, /rejected.*Spam/],
    ['SOCKET_CLOSED', { refuse: () => 'hang up' }, /ended the connection/],
  ])('%s', async (errorType, options, words) => {
    const asked: string[] = [];
    const { port } = await openSink({
      ...options,
      refuse: to => {
        asked.push(to);
        return options.refuse?.(to);
      },
    });
    expect(await tryConfig({ port })).toEqual(failed(words));
    expect(await logged()).toMatchObject([{ error: { errorType } }]);
    // One attempt for every class.
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  test.each(['nowhere.invalid', ''])('HOST_NOT_FOUND: %j', async host => {
    expect(await tryConfig({ host, port: 25 })).toEqual(failed(/host cannot be reached/));
    expect(await logged()).toMatchObject([{ error: { errorType: 'HOST_NOT_FOUND' } }]);
  });

  test('UNKNOWN: no server listens on the port, or the port is invalid', async () => {
    for (const port of [0, 1, 25.5]) expect(await tryConfig({ port })).toEqual(failed(/The email was not sent/));
    expect(await logged()).toMatchObject(Array(3).fill({ error: { errorType: 'UNKNOWN', canRetry: false } }));
  });

  describe('a host that is not a mail server', () => {
    let other: Server;
    let port: number;
    async function listen(onConnection: (socket: Socket) => void): Promise<void> {
      other = createServer(onConnection);
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
      ({ port } = other.address() as AddressInfo);
    }
    afterEach(() => new Promise<void>(resolve => other.close(() => resolve())));

    test('SOCKET_CLOSED: it closes the connection before the greeting', async () => {
      let connections = 0;
      await listen(socket => {
        connections += 1;
        socket.end();
      });
      expect(await tryConfig({ port })).toEqual(failed(/ended the connection/));
      expect(await logged()).toMatchObject([{ error: { errorType: 'SOCKET_CLOSED' } }]);
      expect(connections).toBe(1);
    });

    test('UNKNOWN: it uses another protocol', async () => {
      await listen(socket => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      expect(await tryConfig({ port })).toEqual(failed(/HTTP\/1.1 400/));
      expect(await logged()).toMatchObject([{ error: { errorType: 'UNKNOWN' } }]);
    });
  });

  test('control 74: names and addresses add no headers', async () => {
    const { port } = await openSink();
    expect(await tryConfig({ port, sender_name: 'A\r\nBcc: all@example.com' })).toEqual(success);
    expect(sink?.mails[0]?.headerNames).not.toContain('bcc');
    for (const sender_email of ['a@b\r\nBcc: c@d', 'a b@c', '<a@b>']) {
      expect(await tryConfig({ port, sender_email })).toEqual(invalid);
    }
    expect(await tryConfig({ port, sender_email: '' })).toEqual(failed(/not valid/));
  });

  test.each([
    {},
    { recipient_email: 'ada' },
    { email_config: undefined },
    { email_config: { ...config, type: 'standard' } },
    { email_config: { ...config, port: 65_536 } },
    { email_config: { ...config, port: -1 } },
    { email_config: { ...config, password: 'x'.repeat(71) } },
    { email_config: { ...config, host: null } },
    { email_config: { ...config, sender_name: undefined } },
    { email_config: config, subject: 'x' },
  ])('the invalid body %j is refused', async body => {
    const given =
      Object.keys(body).length === 0 ? {} : { recipient_email: 'ada@example.com', email_config: config, ...body };
    expect(await scene.call('POST /internal/send-test-email', { level: 'admin', body: given })).toEqual(invalid);
  });
});

describe('control 86: in production a test email goes to public mail servers only', () => {
  const environment = { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'http://localhost:4280' };
  const tried = async (production: TestServer, host: string, port: number) => {
    const project = await production.make.project();
    const body = { recipient_email: 'ada@example.com', email_config: { ...config, host, port } };
    return (await production.call('POST /internal/send-test-email', { project, level: 'admin', body })).json;
  };

  test('is not sent to a private address', async () => {
    const production = await openTestServer({ environment });
    const { port } = await openSink();
    for (const host of [
      '127.0.0.1',
      'localhost',
      '127.1',
      '0x7f000001',
      '::1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      '0',
    ]) {
      expect([host, await tried(production, host, port)]).toEqual([
        host,
        { success: false, error_message: expect.stringMatching(/cannot be reached/) },
      ]);
    }
    expect(sink?.mails).toEqual([]);
    await production.close();
  });

  test('connects to a private address that the operator allows', async () => {
    const production = await openTestServer({ environment: { ...environment, TESSERA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    const { port } = await openSink();
    // The sink has no TLS, which production requires: the refusal comes from the server that was reached.
    const reached = { success: false, error_message: expect.stringMatching(/offers no TLS/) };
    expect(await tried(production, 'localhost', port)).toEqual(reached);
    expect(await tried(production, '127.0.0.1', port)).toEqual(reached);
    await production.close();
  });
});
