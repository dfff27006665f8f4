import { readMail } from '@tessera/testing/smtp-sink';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeEmail } from './compose.ts';

const id = '0b1a4bc6-d35a-4efd-b5d2-2f03018aeb24';
const email = {
  id,
  projectId: 'internal',
  from: { name: 'Tessera', address: 'mail@auth.example' },
  to: 'ada@example.com',
  subject: 'Your code is AB12CD',
  html: '<p>Hi</p>',
  text: 'Hi',
};
const nowMillis = Date.UTC(2026, 0, 15, 12);

const read = (raw: string) => readMail(Buffer.from(raw), { from: '', to: [] });

test('an email has the headers of a generated message, then its text and its HTML', () => {
  expect(composeEmail(email, nowMillis).split('\r\n')).toEqual([
    'From: Tessera <mail@auth.example>',
    'To: ada@example.com',
    'Subject: Your code is AB12CD',
    `Message-ID: <${id}@auth.example>`,
    'Date: Thu, 15 Jan 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Auto-Submitted: auto-generated',
    `Content-Type: multipart/alternative; boundary="=_${id}"`,
    '',
    `--=_${id}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Hi',
    `--=_${id}`,
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Hi</p>',
    `--=_${id}--`,
    '',
  ]);
});

test('an email without HTML has one part', () => {
  expect(
    composeEmail({ ...email, html: '' }, nowMillis)
      .split('\r\n')
      .slice(7),
  ).toEqual(['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '', 'Hi']);
});

test.each([
  ['plain', 'Ada Tools', 'Ada Tools'],
  ['with a comma', 'Ada, Tools', '"Ada, Tools"'],
  ['with quotes', 'Ada "A" \\ Tools', '"Ada \\"A\\" \\\\ Tools"'],
  ['outside ASCII', 'Bücher', '=?UTF-8?B?QsO8Y2hlcg==?='],
  ['like an encoded word', '=?UTF-8?Q?x?=', '=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?='],
])('a sender name %s', (_, name, expected) => {
  const [line] = composeEmail({ ...email, from: { ...email.from, name } }, nowMillis).split('\r\n');
  expect(line).toBe(`From: ${expected} <mail@auth.example>`);
});

test('domains are written in ASCII', () => {
  const raw = composeEmail(
    { ...email, from: { name: '', address: 'a@bücher.example' }, to: 'b@münchen.example' },
    nowMillis,
  );
  expect(raw.split('\r\n').slice(0, 2)).toEqual(['From: a@xn--bcher-kva.example', 'To: b@xn--mnchen-3ya.example']);
});

test('a long subject is folded between words', () => {
  const subject =
    'Sign in to Tessera at the address that you asked for with the code that follows: Your code is AB12CD';
  const raw = composeEmail({ ...email, subject }, nowMillis);
  expect(raw).toContain(
    'Subject: Sign in to Tessera at the address that you asked for with the\r\n code that follows: Your code is',
  );
  expect(read(raw).headers.subject).toBe(subject);
});

test('any text arrives unchanged, in lines that every mail server accepts', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const lines = fc.array(fc.oneof(text, fc.constantFrom('', ' ', '.', '=', '\t', 'From me', `--=_${id}--`)), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lines, lines, text, (texts, htmls, words) => {
      const content = { text: texts.join('\n').trim(), html: `<p>${htmls.join('\n').trim()}</p>` };
      const subject = words.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
      const raw = composeEmail({ ...email, ...content, subject }, nowMillis);
      const found = read(raw);
      expect({ text: found.text, html: found.html, subject: found.headers.subject }).toEqual({
        ...content,
        subject,
      });
      expect(Math.max(...raw.split('\r\n').map(line => Buffer.byteLength(line)))).toBeLessThanOrEqual(150);
      expect(/^[\x20-\x7E\r\n\t]*$/.test(raw)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
