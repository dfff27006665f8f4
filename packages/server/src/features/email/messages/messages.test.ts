import { messageCopiesWaitingMax, rateLimits } from '@tessera/protocol';
import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseAway, transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { messageUses } from '../../../platform/rate-limits/index.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, plainPasswords, refused, type Scene } from '../../sign-in/scene.fixtures.ts';
import { makeDue } from '../../webhooks/scene.fixtures.ts';
import { ownServer } from '../scene.fixtures.ts';
import { messageTask } from './sending.ts';

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

const admin = { level: 'admin' } as const;
const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c';
const content = {
  root: { type: 'EmailLayout', data: { childrenIds: ['a', 'b'] } },
  a: { type: 'Text', data: { props: { text: 'Hello {{userDisplayName}}' } } },
  b: { type: 'Button', data: { props: { text: 'Read', url: 'https://example.com/news' } } },
};
const draft = { subject: 'News for {{userDisplayName}}', content, notification_category_name: 'Marketing' };
const toAll = { audience: { type: 'all' }, expected_recipients: 10 };
const send = (more: object = {}, of = scene) =>
  of.call('POST /internal/extensions/messages', { ...admin, body: { ...draft, ...toAll, ...more } });
const count = (audience: object, notification_category_name = 'Marketing') =>
  scene.call('POST /internal/extensions/messages/audience', {
    ...admin,
    body: { audience, notification_category_name },
  });
const counted = (matching: number, reachable: number, without_address = 0, unsubscribed = 0) => ({
  status: 200,
  body: { matching, reachable, without_address, unsubscribed },
});
const read = (id: string) => scene.call('GET /internal/extensions/messages/{id}', { ...admin, params: { id } });
const cancel = (id: string) =>
  scene.call('POST /internal/extensions/messages/{id}/cancel', { ...admin, params: { id } });
const cancellations = () =>
  server.deps.db.query(sql`
    select details from audit_events where project_id = ${scene.project.id} and action = 'message.canceled'
  `);

async function reader(fields: object = {}): Promise<{ id: string; email: string }> {
  const email = scene.address();
  return { id: (await scene.person({ primary_email: email, display_name: 'Ada', ...fields })).id, email };
}

const unsubscribe = (user_id: string) =>
  scene.call('PATCH /emails/notification-preference/{user_id}/{category_id}', {
    level: 'server',
    params: { user_id, category_id: marketing },
    body: { enabled: false },
  });

async function idOf(sent: Promise<unknown>): Promise<string> {
  return ((await sent) as { body: { id: string } }).body.id;
}

describe('the preview of a message', () => {
  const blocksOf = (...blocks: object[]) => ({
    root: { type: 'EmailLayout', data: { childrenIds: blocks.map((_, index) => `${index}`) } },
    ...Object.fromEntries(blocks.map((block, index) => [`${index}`, block])),
  });
  const previewOf = async (blocks: object) => {
    const body = { ...draft, content: blocks };
    const answer = await scene.call('POST /internal/extensions/messages/preview', { ...admin, body });
    return (answer as { body: { html: string; text: string } }).body;
  };
  const htmlOf = async (blocks: object) => (await previewOf(blocks)).html;

  test('keeps the colour of a text on a background of its author in dark mode, which keeps the background', async () => {
    const text = { props: { text: 'Words' } };
    const style = { backgroundColor: '#fff3b0' };
    const onCard = await htmlOf(blocksOf({ type: 'Text', data: text }));
    expect(onCard).toMatch(/<p class="t-ink t-block" style="[^"]*">Words/);
    const inText = await htmlOf(blocksOf({ type: 'Text', data: { ...text, style } }));
    expect(inText).toMatch(/<p class="t-block" style="[^"]*background-color:#fff3b0[^"]*">Words/);
    const button = { type: 'Button', data: { props: { text: 'Go', url: 'https://example.com' } } };
    const parts = { t: { type: 'Text', data: text }, h: { type: 'Heading', data: text }, b: button };
    const inside = { ...parts, d: { type: 'Divider', data: {} } };
    const box = { type: 'Container', data: { style, props: { childrenIds: Object.keys(inside) } } };
    const inBox = await htmlOf({ ...blocksOf(box), ...inside });
    expect(inBox.slice(inBox.indexOf('background-color:#fff3b0'))).not.toMatch(/t-ink|t-button|t-line/);
  });

  test('has the same heading as text and as HTML: Markdown links are for texts', async () => {
    const text = '[Important](https://example.com/a)';
    const heading = blocksOf({ type: 'Heading', data: { props: { text } } });
    const answer = await previewOf(heading);
    expect(answer.text).toContain(`${text}\n`);
    expect(answer.html).toContain(`>${text}</h2>`);
  });

  test('aligns an image with the texts on a small screen', async () => {
    const image = { type: 'Image', data: { props: { url: 'https://example.com/a.png', alt: 'A' } } };
    expect(await htmlOf(blocksOf(image))).toMatch(/<div class="t-block" style="padding:8px 24px"><img/);
  });

  test('shows its first words in message lists, without the target of a link', async () => {
    const texts = ['{{#if missing}}Hi{{/if}}', 'Read [our docs](https://docs.example/x) now'];
    const html = await htmlOf(blocksOf(...texts.map(text => ({ type: 'Text', data: { props: { text } } }))));
    expect(html).toContain('opacity:0">Read our docs now&#847;');
  });

  test.each([
    ['مرحبا {{userDisplayName}}، اقرأ [الأخبار](https://example.com/a-long-page-of-news)', 'rtl'],
    ['שלום', 'rtl'],
    ['Hello {{userDisplayName}}, the word שלום means peace', 'ltr'],
    ['Bonjour', 'ltr'],
  ])('of %j has the direction of the text (%s), whose language it does not state', async (text, direction) => {
    const html = await htmlOf(blocksOf({ type: 'Text', data: { props: { text } } }));
    expect(html).toContain(`<html lang="und" dir="${direction}">`);
    expect(html.match(/<td[^>]* dir="rtl"/g) ?? []).toHaveLength(direction === 'rtl' ? 2 : 0);
  });
});

describe('a message to users', () => {
  test('is created although the database goes away right after the commit', async () => {
    await reader();
    const { db } = server.deps;
    const { begin } = db;
    const reads = vi.spyOn(db, 'query');
    const commits = vi.spyOn(db, 'begin').mockImplementationOnce(async work => {
      const committed = await begin(work);
      reads.mockRejectedValue(new DatabaseAway('away'));
      return committed;
    });
    const answer = await send();
    reads.mockRestore();
    commits.mockRestore();
    expect(answer).toMatchObject({ status: 201, body: { state: 'sending', recipients: 1 } });
  });

  test('reaches each user once, filled with the name, with an unsubscribe link, and its progress is counted', async () => {
    const [ada, bob] = [await reader(), await reader({ display_name: 'Bob' })];
    const id = await idOf(send());
    expect(await read(id)).toMatchObject({ body: { state: 'sending', recipients: 2, queued: 0, accepted: 0 } });
    await server.mailbox();
    expect(sink.mails.map(({ headers }) => [headers.to, headers.subject]).sort()).toEqual(
      [
        [ada.email, 'News for Ada'],
        [bob.email, 'News for Bob'],
      ].sort(),
    );
    const mail = sink.mails.find(({ headers }) => headers.to === bob.email);
    expect(mail?.text).toContain('Hello Bob\n\nRead:\nhttps://example.com/news\n');
    expect(mail?.text).toContain('Unsubscribe from Marketing:\nhttp://localhost:4280/api/v1/emails/unsubscribe-link');
    expect(mail?.html).toContain('>Unsubscribe from Marketing</a>');
    expect(mail?.html).not.toContain('If the button does not work');
    expect(mail?.headerNames).toContain('list-unsubscribe');
    expect(await read(id)).toMatchObject({
      body: { ...draft, audience: { type: 'all' }, state: 'sent', queued: 2, waiting: 0, accepted: 2, failed: 0 },
    });
  });

  test('counts what the mail server refused, and its deliveries are in the log', async () => {
    await reader();
    const bad = await scene.person({ primary_email: `refused-${scene.address()}` });
    const id = await idOf(send());
    await server.mailbox();
    expect(await read(id)).toMatchObject({ body: { queued: 2, accepted: 1, failed: 1 } });
    const log = (query: Record<string, string>) =>
      scene.call('GET /internal/extensions/sent-emails', { ...admin, query });
    expect(await log({ message_id: id, state: 'failed' })).toMatchObject({
      body: { items: [{ user_id: bad.id, message_id: id, error: { errorType: 'REJECTED' } }] },
    });
    const first = (await log({ message_id: id, limit: '1' })) as { body: { pagination: { next_cursor: string } } };
    const cursor = first.body.pagination.next_cursor;
    expect(await log({ message_id: id, limit: '1', cursor })).toMatchObject({
      body: { items: [expect.anything()], pagination: { next_cursor: null } },
    });
    expect(await log({ user_id: bad.id })).toMatchObject({ body: { items: [{ user_id: bad.id }] } });
    expect(await log({ recipient: 'REFUSED-' })).toMatchObject({ body: { items: [{ user_id: bad.id }] } });
    expect(await log({ recipient: 'refused-%' })).toMatchObject({ body: { items: [] } });
  });

  test('is counted without the log, unless it was created before its counter existed', async () => {
    await reader();
    const id = await idOf(send());
    await server.mailbox();
    const { db } = server.deps;
    await db.query(sql`delete from sent_mails where project_id = ${scene.project.id}`);
    expect(await read(id)).toMatchObject({ body: { queued: 1, accepted: 1, failed: 0 } });
    await db.query(sql`delete from message_counts where project_id = ${scene.project.id}`);
    expect(await read(id)).toMatchObject({ body: { queued: 1, accepted: 0, failed: 1 } });
  });

  test('of a category that users cannot leave has no unsubscribe link', async () => {
    await reader();
    await send({ notification_category_name: 'Transactional' });
    await server.mailbox();
    expect(sink.mails).toHaveLength(1);
    expect(sink.mails[0]?.text).not.toContain('Unsubscribe');
    expect(sink.mails[0]?.headerNames).not.toContain('list-unsubscribe');
  });

  test('is not sent to users who have unsubscribed or have no address', async () => {
    const [ada, bob] = [await reader(), await reader()];
    await unsubscribe(bob.id);
    await scene.person({});
    expect(await count({ type: 'all' })).toEqual(counted(3, 1, 1, 1));
    expect(await count({ type: 'all' }, 'Transactional')).toEqual(counted(3, 2, 1));
    await send();
    await server.mailbox();
    expect(sink.mails.map(({ headers }) => headers.to)).toEqual([ada.email]);
  });

  test('is not queued twice for a user when a batch is repeated', async () => {
    await reader();
    const id = await idOf(send());
    const { db } = server.deps;
    await transaction(db, tx => addJob(tx, messageTask, { projectId: scene.project.id, id }));
    await server.mailbox();
    expect(sink.mails).toHaveLength(1);
    expect(await read(id)).toMatchObject({ body: { queued: 1, accepted: 1 } });
  });

  test('keeps the hourly limit of batches while its batch only waits for copies in the queue', async () => {
    const { db, rateLimits: limits } = server.deps;
    const projectId = scene.project.id;
    const { email } = await reader();
    const id = await idOf(send());
    const [use] = messageUses('messageBatchesPerProject', projectId);
    await limits.count(Array(rateLimits.messageBatchesPerProject.points - 1).fill(use));
    await db.query(sql`
      insert into mails (project_id, id, template, recipient, created_at_millis, message_id)
      select ${projectId}, gen_random_uuid(), 'message', 'waiting@example.com', 0, ${id}
      from generate_series(1, ${messageCopiesWaitingMax})
    `);
    for (let poll = 0; poll < 3; poll++) {
      await makeDue(server);
      await server.mailbox();
    }
    expect(await read(id)).toMatchObject({ body: { state: 'sending', queued: 0 } });
    await db.query(sql`delete from mails where project_id = ${projectId} and message_id = ${id}`);
    await makeDue(server);
    await server.mailbox();
    expect(sink.mails.map(({ headers }) => headers.to)).toEqual([email]);
  });

  test('that is canceled before its batch reaches no user', async () => {
    await reader();
    const id = await idOf(send());
    expect(await cancel(id)).toMatchObject({ status: 200, body: { state: 'canceled', queued: 0 } });
    expect(await cancel(id)).toMatchObject({ status: 200, body: { state: 'canceled' } });
    await server.mailbox();
    expect(sink.mails).toEqual([]);
    expect(await cancellations()).toEqual([{ details: { removed: 0 } }]);
  });

  test('that is canceled after its last copy has left the queue stays sent, without an audit event', async () => {
    await reader();
    const id = await idOf(send());
    await server.mailbox();
    const sent = await read(id);
    expect(sent).toMatchObject({ status: 200, body: { state: 'sent', queued: 1, waiting: 0, accepted: 1 } });
    expect(await cancel(id)).toEqual(sent);
    expect(await read(id)).toEqual(sent);
    expect(await cancellations()).toEqual([]);
  });

  test('that is canceled after its last batch loses the copies that still wait', async () => {
    const { db } = server.deps;
    const projectId = scene.project.id;
    await reader();
    const id = await idOf(send());
    await server.mailbox();
    await db.query(sql`
      insert into mails (project_id, id, template, recipient, created_at_millis, message_id)
      values (${projectId}, gen_random_uuid(), 'message', 'waiting@example.com', 0, ${id})
    `);
    await db.query(sql`update messages set queued = 2 where project_id = ${projectId} and id = ${id}`);
    expect(await cancel(id)).toMatchObject({ body: { state: 'canceled', queued: 1, waiting: 0, accepted: 1 } });
    expect(await cancellations()).toEqual([{ details: { removed: 1 } }]);
  });

  test('is in the audit log with its sender, without its text', async () => {
    await reader();
    const id = await idOf(send());
    const [event] = await server.deps.db.query<{ subjectId: string; details: object }>(sql`
      select subject_id as "subjectId", details from audit_events
      where project_id = ${scene.project.id} and action = 'message.created'
    `);
    expect(event).toEqual({ subjectId: id, details: { recipients: 1, category: 'Marketing', audience: 'all' } });
  });

  test('is refused when it reaches more users than were confirmed, or none', async () => {
    expect(await send()).toEqual(refused(400));
    await reader();
    await reader();
    expect(await send({ expected_recipients: 1 })).toEqual(refused(409));
    expect(await send({ notification_category_name: 'News' })).toEqual(refused(404));
    const broken = { root: { type: 'EmailLayout', data: { childrenIds: ['root'] } } };
    expect(await send({ content: broken })).toMatchObject({ code: 'EMAIL_RENDERING_ERROR' });
    expect(await scene.call('GET /internal/extensions/messages', admin)).toMatchObject({ body: { items: [] } });
  });

  test('is refused without a mail server of the project', async () => {
    expect(await send({}, await openScene(server))).toEqual(refused(400));
  });

  test('of another project is not found', async () => {
    await reader();
    const id = await idOf(send());
    const other = await openScene(server, ownServer(server, sink));
    const of = (route: 'GET /internal/extensions/messages/{id}' | 'POST /internal/extensions/messages/{id}/cancel') =>
      other.call(route, { ...admin, params: { id } });
    expect(await of('GET /internal/extensions/messages/{id}')).toEqual(refused(404));
    expect(await of('POST /internal/extensions/messages/{id}/cancel')).toEqual(refused(404));
  });
});

describe('the audience of a message', () => {
  test('is a team, chosen users, or the users that fit all conditions', async () => {
    const [ada, bob] = [await reader({ primary_email_verified: true }), await reader()];
    const body = { display_name: 'Engines', creator_user_id: ada.id };
    const team = (await scene.call('POST /teams', { level: 'server', body })) as { body: { id: string } };
    expect(await count({ type: 'team', team_id: team.body.id })).toEqual(counted(1, 1));
    expect(await count({ type: 'users', user_ids: [bob.id] })).toEqual(counted(1, 1));
    expect(await count({ type: 'filter', is_verified: true })).toEqual(counted(1, 1));
    expect(await count({ type: 'filter', is_verified: false })).toEqual(counted(1, 1));
    const nowMillis = server.deps.clock.now();
    expect(await count({ type: 'filter', signed_up_from_millis: nowMillis + 1 })).toEqual(counted(0, 0));
    expect(await count({ type: 'filter', signed_up_to_millis: nowMillis + 1 })).toEqual(counted(2, 2));
    expect(await count({ type: 'filter', active_from_millis: nowMillis + 1 })).toEqual(counted(0, 0));
    expect(await count({ type: 'filter', active_to_millis: nowMillis + 1 })).toEqual(counted(2, 2));
  });

  test('in the preview is not needed', async () => {
    expect(await scene.call('POST /internal/extensions/messages/preview', { ...admin, body: draft })).toMatchObject({
      status: 200,
      body: { subject: 'News for Ada Lovelace', text: expect.stringContaining('https://example.com/unsubscribe') },
    });
  });
});

describe('an attempt in the log', () => {
  test('is read by its id, and not from another project', async () => {
    await reader();
    await send();
    await server.mailbox();
    const page = (await scene.call('GET /internal/extensions/sent-emails', admin)) as {
      body: { items: { id: string }[] };
    };
    const [email] = page.body.items;
    const params = { id: email?.id ?? '' };
    expect(await scene.call('GET /internal/extensions/sent-emails/{id}', { ...admin, params })).toEqual({
      status: 200,
      body: { ...email, template: 'broadcast', resending: 'accepted', next_attempt_at_millis: null },
    });
    const other = await openScene(server);
    expect(await other.call('GET /internal/extensions/sent-emails/{id}', { ...admin, params })).toEqual(refused(404));
  });
});
