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

async function open(refuse?: () => { code: number; message: string }) {
  const sink = await openSmtpSink({ refuse });
  let nowMs = 0;
  const { hostname: host, port } = new URL(sink.url);
  const server = { host, port: Number(port), isSecure: false, requiresTls: false, username: '', password: '' };
  const transport = installationTransport(server, () => nowMs);
  onTestFinished(() => transport.close());
  const advance = (byMs: number) => {
    nowMs += byMs;
  };
  return { sink, transport, advance };
}

test('an installation server that cannot be reached has no room for five seconds', async () => {
  const { sink, transport, advance } = await open();
  await sink.close();
  expect(transport.room?.()).toBe('now');
  expect(await transport.send(message)).toMatchObject({ type: 'UNKNOWN' });
  expect(transport.room?.()).toBe('later');
  advance(5_000);
  expect(transport.room?.()).toBe('now');
});

test('an installation server that refuses an email has room', async () => {
  const { sink, transport } = await open(() => ({ code: 554, message: 'No' }));
  onTestFinished(() => sink.close());
  expect(await transport.send(message)).toMatchObject({ type: 'REJECTED' });
  expect(transport.room?.()).toBe('now');
});
