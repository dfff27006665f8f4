import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { expect, test, vi } from 'vitest';
import { smtpTransport } from './smtp.ts';

const message = {
  id: '0d2c5f0a-6d0a-4a53-9d67-1f2b3c4d5e6f',
  projectId: 'internal',
  subject: 'Hello',
  html: '',
  text: 'Hello\n',
  from: { name: 'Acme', address: 'mail@acme.example' },
  to: 'ada@example.com',
};

const serverOf = (sink: SmtpSink) => ({
  host: '127.0.0.1',
  port: Number(new URL(sink.url).port),
  isSecure: false,
  requiresTls: false,
  username: '',
  password: '',
});

test.each([
  ['ada@example.com', ['ada@example.com']],
  ['ada+codes@Example.COM', ['ada+codes@example.com']],
  ['ada@münchen.example', ['ada@münchen.example']],
  ['ada@evil.example@example.com', undefined],
  ['ada,eve@example.com', ['"ada,eve"@example.com']],
])('an email to %s has no other recipient', async (to, recipients) => {
  const sink = await openSmtpSink();
  const transport = smtpTransport(serverOf(sink));
  await transport.send({ ...message, to });
  transport.close();
  await sink.close();
  expect(sink.mails.map(({ envelope }) => envelope.to)).toEqual(recipients === undefined ? [] : [recipients]);
});

test('a mail client that could not be opened is opened again for the next email', async () => {
  vi.doMock('nodemailer/lib/smtp-pool', () => {
    throw new Error('EMFILE');
  });
  const sink = await openSmtpSink();
  const transport = smtpTransport(serverOf(sink));
  await expect(transport.send(message)).rejects.toThrow();
  vi.doUnmock('nodemailer/lib/smtp-pool');
  expect(await transport.send(message)).toBeNull();
  transport.close();
  await sink.close();
});
