import { openSmtpSink } from '@tessera/testing/smtp-sink';
import { expect, test } from 'vitest';
import { smtpTransport } from './smtp.ts';

const message = {
  id: '0d2c5f0a-6d0a-4a53-9d67-1f2b3c4d5e6f',
  projectId: 'internal',
  subject: 'Hello',
  html: '',
  text: 'Hello\n',
};

test.each([
  ['ada@example.com', ['ada@example.com']],
  ['ada+codes@Example.COM', ['ada+codes@example.com']],
  ['ada@münchen.example', ['ada@münchen.example']],
  ['ada@evil.example@example.com', undefined],
  ['ada,eve@example.com', ['"ada,eve"@example.com']],
])('an email to %s has no other recipient', async (to, recipients) => {
  const sink = await openSmtpSink();
  const transport = smtpTransport({
    host: '127.0.0.1',
    port: Number(new URL(sink.url).port),
    isSecure: false,
    requiresTls: false,
    username: '',
    password: '',
  });
  await transport.send({ ...message, from: { name: 'Acme', address: 'mail@acme.example' }, to });
  transport.close();
  await sink.close();
  expect(sink.mails.map(({ envelope }) => envelope.to)).toEqual(recipients === undefined ? [] : [recipients]);
});
