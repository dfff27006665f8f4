import { randomUUID } from 'node:crypto';
import { usersPageMax } from '@tessera/protocol';
import { ask } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { whileDeleting } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { makeRevocableKeys } from '../../test/revocable-keys.ts';
import { invalid, openScene, plainPasswords, refused, type Scene } from '../sign-in/scene.fixtures.ts';
import { ownServer } from './scene.fixtures.ts';

let server: TestServer;
let sink: SmtpSink;
let scene: Scene;
beforeAll(async () => {
  sink = await openSmtpSink({
    refuse: to => (to.startsWith('refused') ? { code: 554, message: 'No thanks' } : undefined),
  });
  server = await openTestServer({
    passwords: plainPasswords(),
    environment: { TESSERA_PUBLIC_URL: 'http://localhost:4280' },
  });
});
afterAll(async () => {
  await server.close();
  await sink.close();
});
beforeEach(async () => {
  scene = await openScene(server, ownServer(server, sink));
  await server.mailbox();
  sink.mails.length = 0;
});

const news = { subject: 'News', html: '<p>Big news</p>', notification_category_name: 'Marketing' };
const send = (body: object, level: 'server' | 'admin' = 'server') =>
  scene.call('POST /emails/send-email', { level, body: { ...news, ...body } });
const answered = (...results: object[]) => ({ status: 200, body: { results } });
const sent = (user_id: string, user_email: string) => ({ user_id, user_email, success: true });
const notSent = (user_id: string, reason: RegExp, more: object = {}) => ({
  user_id,
  ...more,
  success: false,
  error: expect.stringMatching(reason),
});

async function reader(fields: object = {}): Promise<{ id: string; email: string }> {
  const email = scene.address();
  return { id: (await scene.person({ primary_email: email, ...fields })).id, email };
}

async function delivered(): Promise<SmtpSink['mails']> {
  await server.mailbox();
  return sink.mails;
}

async function countQueued(): Promise<object[]> {
  return server.deps.db.query<object>(sql`
    select
      (select count(*) from mails where project_id = ${scene.project.id}) as emails,
      (select count(*) from mail_bodies where project_id = ${scene.project.id}) as bodies
  `);
}

describe('POST /emails/send-email', () => {
  test.each(['server', 'admin'] as const)('delivers through the project’s own server at level %s', async level => {
    const ada = await reader();
    expect(await send({ user_ids: [ada.id], notification_category_name: 'Transactional' }, level)).toEqual(
      answered(sent(ada.id, ada.email)),
    );
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      envelope: { from: 'mail@acme.example', to: [ada.email] },
      headers: { subject: 'News', from: 'Acme Mail <mail@acme.example>', to: ada.email },
      text: 'Big news\n',
    });
    expect(mail?.html).toContain('max-width:600px');
    expect(mail?.html).toContain('\n<p>Big news</p>\n');
    expect(mail?.headerNames).not.toContain('list-unsubscribe');
    expect(`${mail?.html}${mail?.text}`).not.toContain('nsubscribe');
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
  });

  test('returns a result for each given id, in the given order', async () => {
    const [ada, bob, eve] = [await reader(), await reader(), await reader({ primary_email: null })];
    const elsewhere = await (await openScene(server)).person({ primary_email: 'else@example.com' });
    const unknownId = randomUUID();
    expect(
      await send({ user_ids: [bob.id, unknownId, 'no id', eve.id, elsewhere.id, ada.id.toUpperCase(), bob.id] }),
    ).toEqual(
      answered(
        sent(bob.id, bob.email),
        notSent(unknownId, /no such user/),
        notSent('no id', /no such user/),
        notSent(eve.id, /no primary email/),
        notSent(elsewhere.id, /no such user/),
        sent(ada.id.toUpperCase(), ada.email),
        sent(bob.id, bob.email),
      ),
    );
    const recipients = (await delivered()).flatMap(({ envelope }) => envelope.to);
    expect(recipients.sort()).toEqual([ada.email, bob.email, bob.email].sort());
  });

  test('with an empty list of users returns an empty list', async () => {
    expect(await send({ user_ids: [] })).toEqual(answered());
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
  });

  test('looks up more users than fit one query', async () => {
    const ada = await reader();
    const ids = Array.from({ length: 1_200 }, () => randomUUID());
    const { body } = (await send({ user_ids: [...ids, ada.id] })) as {
      body: { results: { user_id: string; success: boolean }[] };
    };
    expect(body.results.map(({ user_id }) => user_id)).toEqual([...ids, ada.id]);
    expect(body.results.filter(({ success }) => success)).toHaveLength(1);
  });

  test('accepts 10,000 ids and refuses more', async () => {
    const ids = (count: number) => Array<string>(count).fill('no id');
    const { body } = (await send({ user_ids: ids(usersPageMax) })) as { body: { results: unknown[] } };
    expect(body.results).toHaveLength(10_000);
    expect(await send({ user_ids: ids(usersPageMax + 1) })).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('an unverified address without sign-in gets the email', async () => {
    const ada = await reader({ primary_email_verified: false, primary_email_auth_enabled: false });
    expect(await send({ user_ids: [ada.id] })).toEqual(answered(sent(ada.id, ada.email)));
  });

  test('HTML that cannot be rendered is reported for each user with an address', async () => {
    const [ada, eve] = [await reader(), await reader({ primary_email: null })];
    const unknownId = randomUUID();
    expect(await send({ user_ids: [ada.id, eve.id, unknownId], html: '<div>' })).toEqual(
      answered(
        notSent(ada.id, /cannot be rendered: <div> is not closed/, { user_email: ada.email }),
        notSent(eve.id, /no primary email/),
        notSent(unknownId, /no such user/),
      ),
    );
    expect(await delivered()).toEqual([]);
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
  });

  test('an email that the mail server refuses is in the log, and its content is kept to be sent again', async () => {
    const ada = await reader({ primary_email: 'refused@example.com' });
    expect(await send({ user_ids: [ada.id] })).toEqual(answered(sent(ada.id, 'refused@example.com')));
    await delivered();
    expect(await scene.call('GET /internal/emails', { level: 'admin' })).toMatchObject({
      body: { items: [{ subject: 'News', to: ['refused@example.com'], error: { errorType: 'REJECTED' } }] },
    });
    expect(await countQueued()).toEqual([{ emails: 1, bodies: 1 }]);
  });

  test('the email has the theme of the project', async () => {
    await scene.configure({ emailTheme: 'default-dark' });
    const ada = await reader();
    await send({ user_ids: [ada.id] });
    expect((await delivered())[0]?.html).toContain('bgcolor="#0f0f11"');
  });

  test('subject and text are not filled as templates; control 74: the subject is one line', async () => {
    const ada = await reader({ display_name: 'Ada' });
    const subject = `Hi {{userDisplayName}}\r\nBcc: all@example.com ${'x'.repeat(300)}`;
    await send({ user_ids: [ada.id], subject, html: '{{userDisplayName}} &amp; co' });
    const [mail] = await delivered();
    expect(mail?.headers.subject).toBe(subject.replace('\r\n', ' '));
    expect(mail?.headerNames).not.toContain('bcc');
    expect(mail?.text).toContain('{{userDisplayName}} & co\n');
  });

  test('is refused when the project has no mail server of its own', async () => {
    await scene.configure({ emailConfig: { type: 'shared' } });
    expect(await send({ user_ids: [], notification_category_name: 'Unknown' })).toEqual(refused(400));
    expect(await send({ user_ids: [] })).toEqual(refused(400));
  });

  test.each(['Unknown', 'marketing', ''])('the unknown category %j is refused', async notification_category_name => {
    expect(await send({ user_ids: [], notification_category_name })).toEqual(refused(404));
  });

  test.each([
    { user_ids: undefined },
    { user_ids: 'me' },
    { user_ids: [null] },
    { user_ids: [], subject: undefined },
    { user_ids: [], html: null },
    { user_ids: [], notification_category_name: undefined },
    { user_ids: [], text: 'x' },
  ])('the invalid body %j is refused', async body => {
    expect(await send(body)).toEqual(invalid);
  });
});

describe('an email of a category that can be disabled', () => {
  const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c';
  const choose = (user_id: string, enabled: boolean) =>
    scene.call('PATCH /emails/notification-preference/{user_id}/{category_id}', {
      level: 'server',
      params: { user_id, category_id: marketing },
      body: { enabled },
    });

  test('has an unsubscribe link per recipient in HTML, text and the headers of RFC 8058', async () => {
    const [ada, bob] = [await reader(), await reader()];
    await send({ user_ids: [ada.id, bob.id] });
    const mails = await delivered();
    const links = mails.map(({ text }) => text.trim().split('\n').at(-1) ?? '');
    expect(new Set(links).size).toBe(2);
    for (const [index, mail] of mails.entries()) {
      expect(links[index]).toMatch(/^http:\/\/localhost:4280\/api\/v1\/emails\/unsubscribe-link\?code=[0-9a-z]{45}$/);
      expect(mail.html.split(`href="${links[index]}"`)).toHaveLength(2);
    }
    const link = links[mails.findIndex(({ envelope }) => envelope.to.includes(ada.email))] ?? '';
    for (const [index, { headers }] of mails.entries()) {
      expect(headers['list-unsubscribe']).toBe(`<${links[index]}>`);
      expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    }
    const oneClick = await ask(server.app, link.replace('http://localhost:4280', ''), { method: 'POST' });
    expect(oneClick.text).toContain('<title>Unsubscribed</title>');
    expect(await send({ user_ids: [ada.id, bob.id] })).toEqual(
      answered(notSent(ada.id, /has unsubscribed/), sent(bob.id, bob.email)),
    );
    expect(await send({ user_ids: [ada.id], notification_category_name: 'Transactional' })).toEqual(
      answered(sent(ada.id, ada.email)),
    );
  });

  test('is sent again after the user enabled the category again', async () => {
    const ada = await reader();
    await choose(ada.id, false);
    expect(await send({ user_ids: [ada.id] })).toEqual(answered(notSent(ada.id, /has unsubscribed/)));
    await choose(ada.id, true);
    expect(await send({ user_ids: [ada.id] })).toEqual(answered(sent(ada.id, ada.email)));
  });

  test('is not delivered to a user who unsubscribes while it waits, and leaves the queue', async () => {
    const [ada, bob] = [await reader(), await reader()];
    await send({ user_ids: [ada.id, bob.id] });
    await choose(ada.id, false);
    expect((await delivered()).map(({ envelope }) => envelope.to)).toEqual([[bob.email]]);
    expect(await countQueued()).toMatchObject([{ emails: 0 }]);
    await choose(ada.id, true);
    await send({ user_ids: [ada.id], notification_category_name: 'Transactional' });
    expect(await delivered()).toHaveLength(2);
  });

  test('is refused by the user’s choice before the address is checked', async () => {
    const ada = await reader({ primary_email: null });
    await choose(ada.id, false);
    expect(await send({ user_ids: [ada.id] })).toEqual(answered(notSent(ada.id, /has unsubscribed/)));
  });
});

describe('queued emails', () => {
  test('are encrypted in the database', async () => {
    const ada = await reader();
    await send({ user_ids: [ada.id], subject: 'Quite secret', html: '<p>Very secret</p>' });
    const [row] = await server.deps.db.query<{ encrypted: Buffer; payload: string }>(sql`
      select b.sealed as encrypted, (select string_agg(payload::text, '') from graphile_worker._private_jobs) as payload
      from mail_bodies b where b.project_id = ${scene.project.id}
    `);
    expect(`${row?.encrypted.toString('latin1')}${row?.payload}`).not.toMatch(/secret/);
    expect(row?.payload).not.toContain(ada.email);
    await delivered();
  });

  test('are deleted with their user, and the body with the last of them', async () => {
    const [ada, bob] = [await reader(), await reader()];
    await send({ user_ids: [ada.id, bob.id] });
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: ada.id } });
    expect(await countQueued()).toEqual([{ emails: 1, bodies: 1 }]);
    expect((await delivered()).flatMap(({ envelope }) => envelope.to)).toEqual([bob.email]);
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
  });

  test('whose users are all deleted leave a body that the next request deletes', async () => {
    const ada = await reader();
    await send({ user_ids: [ada.id] });
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: ada.id } });
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 1 }]);
    await send({ user_ids: [] });
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
    expect(await delivered()).toEqual([]);
  });

  test('are not created for a user who is deleted concurrently', async () => {
    const ada = await reader();
    expect(await whileDeleting(server, ada.id, () => send({ user_ids: [ada.id] }))).toEqual(
      answered(notSent(ada.id, /no such user/)),
    );
  });

  test.each(['password_reset', 'email_verification'])('of the kind %s are deleted with their user', async kind => {
    const email = scene.address();
    const signedUp = await server.call('POST /auth/password/sign-up', {
      project: scene.project,
      body: { email, password: 'correct horse battery', verification_callback_url: 'http://localhost:3000/' },
    });
    const { user_id } = signedUp.json as { user_id: string };
    if (kind === 'password_reset') {
      await delivered();
      await scene.call('POST /auth/password/send-reset-code', {
        body: { email, callback_url: 'http://localhost:3000/' },
      });
    }
    expect(await countQueued()).toEqual([{ emails: 1, bodies: 0 }]);
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id } });
    expect(await countQueued()).toEqual([{ emails: 0, bodies: 0 }]);
  });
});

test.each([
  ['server', 'INVALID_SECRET_SERVER_KEY'],
  ['admin', 'INVALID_SUPER_SECRET_ADMIN_KEY'],
] as const)(
  'control 93: a long email that waits for its turn is not sent after its key is revoked, at level %s',
  async (level, code) => {
    const ada = await reader();
    const { leaked, revoke } = await makeRevocableKeys(server, scene.project);
    const body = { ...news, html: '<p>Big news</p>'.repeat(5_000), user_ids: [ada.id] };
    const emails = Array.from({ length: 20 }, () =>
      server.call('POST /emails/send-email', { project: leaked, level, body }),
    );
    expect((await revoke()).status).toBe(200);
    const answers = (await Promise.all(emails)).map(outcome);
    // They take turns in their order: behind the first one whose turn came after the revocation, none is sent.
    const sent = answers.findIndex(({ status }) => status !== 200);
    const refused = { status: 401, code, details: { project_id: scene.project.id } };
    expect(answers.slice(sent)).toEqual(new Array(20 - sent).fill(refused));
    expect((await delivered()).length).toBe(sent);
  },
);
