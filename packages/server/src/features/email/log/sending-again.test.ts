import { failedEmailRetentionMs, rateLimits } from '@tessera/protocol';
import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allWork } from '../../../compose.ts';
import { purgeTask } from '../../../platform/database/purge.ts';
import { sql } from '../../../platform/database/sql.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, plainPasswords, refused, type Scene } from '../../sign-in/scene.fixtures.ts';
import { ownServer } from '../scene.fixtures.ts';

let server: TestServer;
let sink: SmtpSink;
let refuse: SinkOptions['refuse'];
let scene: Scene;
beforeAll(async () => {
  sink = await openSmtpSink({ refuse: to => refuse?.(to) });
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(async () => {
  await server.close();
  await sink.close();
});
beforeEach(async () => {
  refuse = forGood;
  scene = await openScene(server, ownServer(server, sink));
  await server.mailbox();
  sink.mails.length = 0;
});

const forGood = () => ({ code: 554, message: 'No thanks' });
const forNow = () => ({ code: 450, message: 'Later' });
const admin = { level: 'admin' } as const;
const work = () => runDueJobs(server);

interface Entry {
  readonly id: string;
  readonly resending: string;
  readonly next_attempt_at_millis: number | null;
}

async function entries(): Promise<Entry[]> {
  const answer = await scene.call('GET /internal/extensions/sent-emails', admin);
  return (answer as unknown as { body: { items: Entry[] } }).body.items;
}

async function newest(): Promise<Entry> {
  const [first] = await entries();
  const answer = await scene.call('GET /internal/extensions/sent-emails/{id}', {
    ...admin,
    params: { id: first?.id ?? '' },
  });
  return (answer as unknown as { body: Entry }).body;
}

const sendAgain = (id: string, more: object = {}) =>
  scene.call('POST /internal/extensions/sent-emails/{id}/send-again', { ...admin, params: { id }, ...more });
const waiting = (query = {}) => scene.call('GET /internal/extensions/waiting-emails', { ...admin, query });
const write = (userIds: readonly string[], category = 'Marketing') =>
  scene.call('POST /emails/send-email', {
    level: 'server',
    body: { user_ids: userIds, subject: 'Hi', html: '<p>Hello</p>', notification_category_name: category },
  });
const invite = (email = scene.address()) =>
  scene.call('POST /internal/send-sign-in-invitation', {
    level: 'server',
    body: { email, callback_url: 'http://localhost:3000/' },
  });
const listOf = (...items: object[]) => ({
  status: 200,
  body: { items, is_paginated: true, pagination: { next_cursor: null } },
});

describe('a failed email is sent again', () => {
  test('with the same content, by an administrator, and the audit log has it', async () => {
    const email = scene.address();
    await invite(email);
    await work();
    const failed = await newest();
    expect(failed).toMatchObject({ resending: 'possible', template: 'sign_in_invitation', to: [email] });
    expect(await waiting()).toEqual(listOf());

    refuse = undefined;
    expect(await sendAgain(failed.id)).toMatchObject({ status: 200, body: { id: failed.id, resending: 'waiting' } });
    expect(await sendAgain(failed.id)).toEqual(refused(409));
    await work();
    expect(sink.mails.map(mail => mail.headers.to)).toEqual([email]);
    expect(await newest()).toMatchObject({ resending: 'accepted' });
    expect(await sendAgain(failed.id)).toEqual(refused(409));
    expect(
      await server.deps.db.query(sql`
        select subject_type as type, subject_id as id, details from audit_events
        where project_id = ${scene.project.id} and action = 'email.sent_again'
      `),
    ).toEqual([{ type: 'email', id: failed.id, details: { template: 'sign_in_invitation' } }]);
  });

  test('twice, when it fails once more', async () => {
    await invite();
    await work();
    await sendAgain((await newest()).id);
    await work();
    expect(await entries()).toHaveLength(2);
    expect(await newest()).toMatchObject({ resending: 'possible' });
  });

  test('to the address that the user has by then, when the project wrote it', async () => {
    const user = await scene.person({ primary_email: scene.address() });
    await write([user.id]);
    await work();
    const failed = await newest();
    refuse = undefined;
    const corrected = scene.address();
    const body = { primary_email: corrected };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: user.id }, body });
    expect(await sendAgain(failed.id)).toMatchObject({ status: 200 });
    await work();
    expect(sink.mails.filter(mail => mail.headers.subject === 'Hi').map(mail => mail.headers.to)).toEqual([corrected]);
  });

  test('as a copy of a message to users, which then counts as accepted', async () => {
    const user = await scene.person({ primary_email: scene.address() });
    const content = { root: { type: 'EmailLayout', data: { childrenIds: [] } } };
    const draft = { subject: 'News', content, notification_category_name: 'Marketing' };
    const body = { ...draft, audience: { type: 'users', user_ids: [user.id] }, expected_recipients: 1 };
    const {
      body: { id },
    } = (await scene.call('POST /internal/extensions/messages', { ...admin, body })) as unknown as {
      body: { id: string };
    };
    const progress = () => scene.call('GET /internal/extensions/messages/{id}', { ...admin, params: { id } });
    await work();
    expect(await progress()).toMatchObject({ body: { accepted: 0, failed: 1, waiting: 0 } });
    const failed = await newest();
    expect(failed).toMatchObject({ resending: 'possible', message_id: id });
    refuse = undefined;
    const both = await Promise.all([sendAgain(failed.id), sendAgain(failed.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await progress()).toMatchObject({ body: { accepted: 0, failed: 0, waiting: 1 } });
    await work();
    expect(await progress()).toMatchObject({ body: { accepted: 1, failed: 0, waiting: 0 } });
    expect(sink.mails).toHaveLength(1);
    expect(await sendAgain(failed.id)).toEqual(refused(409));
  });

  test('within the limits of the recipient and of the project', async () => {
    await invite();
    await work();
    const { id } = await newest();
    for (let count = 0; count < rateLimits.mailsPerRecipient.points; count++) {
      expect(await sendAgain(id)).toMatchObject({ status: 200 });
      await work();
    }
    expect(await sendAgain(id)).toMatchObject({ status: 429 });
  });
});

describe('an email is not sent again', () => {
  test('when it has a code, whose content is deleted after the last attempt', async () => {
    const body = { email: scene.address(), callback_url: 'http://localhost:3000/' };
    await scene.call('POST /auth/otp/send-sign-in-code', { body });
    await work();
    const failed = await newest();
    expect(failed).toMatchObject({ resending: 'has_code', template: 'magic_link' });
    expect(await sendAgain(failed.id)).toEqual(refused(409));
    expect(await server.deps.db.query(sql`select id from mails where project_id = ${scene.project.id}`)).toEqual([]);
  });

  test('after seven days, when its content is deleted', async () => {
    await invite();
    await work();
    server.clock.advance(failedEmailRetentionMs + 1);
    await allWork(server.deps).tasks[purgeTask]?.({});
    const failed = await newest();
    expect(failed).toMatchObject({ resending: 'not_kept' });
    expect(await sendAgain(failed.id)).toEqual(refused(409));
  });

  test('after its user was deleted', async () => {
    const user = await scene.person({ primary_email: scene.address() });
    await write([user.id]);
    await work();
    const { id } = await newest();
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: user.id } });
    expect(await sendAgain(id)).toEqual(refused(409));
  });

  test('when the project that wrote it has no mail server of its own any more', async () => {
    const user = await scene.person({ primary_email: scene.address() });
    await write([user.id]);
    await work();
    const { id } = await newest();
    await scene.configure({ emailConfig: { type: 'shared' } });
    expect(await sendAgain(id)).toEqual(refused(400));
  });

  test('by another project', async () => {
    await invite();
    await work();
    const { id } = await newest();
    scene = await openScene(server);
    expect(await sendAgain(id)).toEqual(refused(404));
  });
});

describe('GET /internal/extensions/waiting-emails', () => {
  test('lists the emails of the project that wait, newest first, with the time of the next attempt', async () => {
    refuse = forNow;
    const [early, late] = [scene.address(), scene.address()];
    await invite(early);
    await work();
    const at = server.clock.now();
    server.clock.advance(1);
    await invite(late);
    const email = { id: expect.any(String), template: 'sign_in_invitation', user_id: null, message_id: null };
    const first = {
      ...email,
      recipient: early,
      created_at_millis: at,
      attempts: 1,
      next_attempt_at_millis: at + 2_000,
    };
    const second = { ...email, recipient: late, created_at_millis: at + 1, attempts: 0, next_attempt_at_millis: null };
    expect(await waiting()).toEqual(listOf(second, first));
    expect(await newest()).toMatchObject({ resending: 'waiting', next_attempt_at_millis: at + 2_000 });

    const page = (await waiting({ limit: '1' })) as unknown as {
      body: { items: object[]; pagination: { next_cursor: string } };
    };
    expect(page.body.items).toEqual([second]);
    expect(await waiting({ cursor: page.body.pagination.next_cursor })).toEqual(listOf(first));

    scene = await openScene(server);
    expect(await waiting()).toEqual(listOf());
  });
});
