import { ask } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { emailActions } from './rules.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const link = 'http://localhost:3000/join?code=0123456789abcdefghjkmnpqrstvwxyz0123456789abc&x=1';

const list = z.object({ items: z.array(z.looseObject({ id: z.string(), subject: z.string() })) });

async function items() {
  return list.parse((await ask(server.app, '/dev/mail.json')).json).items;
}

async function catchEmail(teamDisplayName: string): Promise<string> {
  server.clock.advance(1000);
  await transaction(server.deps.db, tx =>
    server.deps.mail.send(tx, {
      projectId: 'internal',
      template: 'team_invitation',
      recipient: 'ada@example.com',
      variables: { teamInvitationLink: link, teamDisplayName },
    }),
  );
  await runDueJobs(server);
  return (await items())[0]?.id ?? '';
}

test('an empty mail catcher explains what it will show', async () => {
  const { status, text } = await ask(server.app, '/dev/mail');
  expect(status).toBe(200);
  expect(text).toContain('No mail yet');
});

describe('a caught email', () => {
  let id: string;
  beforeAll(async () => {
    await catchEmail('Older');
    id = await catchEmail('<b>Team</b> & "co"');
  });

  test('is listed, newest first, with a link to its page', async () => {
    const { text, headers } = await ask(server.app, '/dev/mail');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text.match(/(?<=<a href="\/dev\/mail\/)[0-9a-f-]{36}(?=" aria-current="true")/g)).toEqual([id]);
    expect(text.indexOf('join Older')).toBeGreaterThan(text.indexOf('join &lt;b&gt;Team&lt;/b&gt;'));
  });

  test('has a page with its code and link, HTML, text and headers', async () => {
    const page = await ask(server.app, `/dev/mail/${id}`);
    expect(page.text).toContain(`<a class="button" href="${link.replace('&', '&amp;')}"`);
    expect(page.text).toContain(
      `<iframe title="The email" src="/dev/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox">`,
    );
    const plain = await ask(server.app, `/dev/mail/${id}?part=text`);
    expect(plain.text).toContain(`<pre class="text" tabindex="0">Join &lt;b&gt;Team`);
    const head = await ask(server.app, `/dev/mail/${id}?part=headers`);
    expect(head.text).toContain('From: Tessera &lt;noreply@localhost&gt;\nTo: ada@example.com\n');
  });

  test('control 88: is shown in a sandboxed frame, and no other site can frame the page', async () => {
    const { headers, text } = await ask(server.app, `/dev/mail/${id}/html`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    );
    expect(text).toContain('&lt;b&gt;Team&lt;/b&gt; &amp; &quot;co&quot;');
    const page = await ask(server.app, `/dev/mail/${id}`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none';.*script-src 'sha256-[^']+';.*frame-ancestors 'none'/,
    );
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('is available as JSON', async () => {
    const [newest] = await items();
    expect(newest).toEqual({
      id,
      project_id: 'internal',
      from: { name: 'Tessera', address: 'noreply@localhost' },
      to: 'ada@example.com',
      subject: 'Invitation to join <b>Team</b> & "co" at Tessera',
      text: expect.stringContaining(link),
      html: expect.stringContaining('<!doctype html>'),
      headers: expect.stringContaining('Message-ID: '),
      caught_at_millis: server.clock.now(),
      link,
      code: '0123456789abcdefghjkmnpqrstvwxyz0123456789abc',
      otp: null,
    });
  });

  test('is encrypted in the database', async () => {
    const [row] = await server.deps.db.query<{ message: Buffer }>(sql`select message from caught_mails limit 1`);
    expect(row?.message.toString('latin1')).not.toMatch(/Join|code=/);
  });
});

test.each([
  '/dev/mail/nothing',
  '/dev/mail/nothing/html',
  '/dev/mail/00000000-0000-4000-8000-000000000000',
  '/dev/mail/00000000-0000-4000-8000-000000000000/html',
])('%s is not there', async path => {
  expect((await ask(server.app, path)).status).toBe(404);
});

test('the front page of the server links to the mail catcher', async () => {
  expect((await ask(server.app, '/')).text).toContain('href="/dev/mail"');
});

test('behind a path prefix, every link of the mail catcher and the frame of the email have the prefix', async () => {
  const id = await catchEmail('Prefixed');
  const environment = { TESSERA_PUBLIC_URL: 'https://example.com/auth/' };
  const behind = await openTestServer({ beside: server, environment });
  const pages = await Promise.all(
    ['/dev/mail', `/dev/mail/${id}`, '/dev/mail/nothing'].map(path => ask(behind.app, path)),
  );
  await behind.close();
  const addresses = pages.flatMap(({ text }) =>
    [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address),
  );
  const own = addresses.filter(address => address?.startsWith('/'));
  expect(own).toContain(`/auth/dev/mail/${id}/html`);
  expect(own.filter(address => !address?.startsWith('/auth/'))).toEqual([]);
});

test('the mail catcher does not exist in production', async () => {
  const production = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
  for (const path of ['/dev/mail', '/dev/mail.json', '/dev/mail/x', '/dev/mail/x/html']) {
    expect([path, (await ask(production.app, path)).status]).toEqual([path, 404]);
  }
  expect((await ask(production.app, '/')).text).not.toContain('/dev/mail');
  await production.close();
});

test('with a mail server configured, the mail catcher names the server that gets the emails', async () => {
  const sending = await openTestServer({ environment: { TESSERA_SMTP_URL: 'smtp://mail.example:2525' } });
  expect((await ask(sending.app, '/dev/mail')).text).toContain('sent through mail.example');
  await sending.close();
});

test.each([
  ['no link and no code', 'Hello\n\nWorld\n', { link: null, code: null, otp: null }],
  ['a link inside a sentence', 'see https://a.example now', { link: null, code: null, otp: null }],
  ['a link without a code', 'https://a.example/', { link: 'https://a.example/', code: null, otp: null }],
  ['a code', 'Code:\n\nAB12CD\n', { link: null, code: null, otp: 'AB12CD' }],
])('a text with %s', (_, text, expected) => {
  expect(emailActions(text)).toEqual(expected);
});
