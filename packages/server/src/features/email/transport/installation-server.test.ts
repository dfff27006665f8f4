import { closedPort } from '@tessera/testing/free-port';
import { openSmtpSink } from '@tessera/testing/smtp-sink';
import { expect, onTestFinished, test } from 'vitest';
import { installationTransport } from './installation-server.ts';

const message = {
  id: 'a',
  projectId: 'p',
  from: { name: 'Acme', address: 'mail@acme.example' },
  to: 'ada@example.com',
  subject: 'Hello',
  html: '',
  text: 'Hello',
};

function open(port: number) {
  let nowMs = 0;
  const server = { host: '127.0.0.1', port, isSecure: false, requiresTls: false, username: '', password: '' };
  const transport = installationTransport(server, () => nowMs);
  onTestFinished(() => transport.close());
  const advance = (byMs: number) => {
    nowMs += byMs;
  };
  return { transport, advance };
}

test('an installation server that cannot be reached has no room for five seconds', async () => {
  const { transport, advance } = open(closedPort);
  expect(transport.room?.()).toBe('now');
  expect(await transport.send(message)).toMatchObject({ type: 'UNKNOWN' });
  expect(transport.room?.()).toBe('later');
  advance(5_000);
  expect(transport.room?.()).toBe('now');
});

test('an installation server that refuses an email has room', async () => {
  const sink = await openSmtpSink({ refuse: () => ({ code: 554, message: 'No' }) });
  onTestFinished(() => sink.close());
  const { transport } = open(Number(new URL(sink.url).port));
  expect(await transport.send(message)).toMatchObject({ type: 'REJECTED' });
  expect(transport.room?.()).toBe('now');
});
