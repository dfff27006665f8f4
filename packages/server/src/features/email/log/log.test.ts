import { randomUUID } from 'node:crypto';
import { sentEmailReadMax } from '@tessera/protocol';
import { anId } from '@tessera/testing/outcome';
import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, plainPasswords, type Scene } from '../../sign-in/scene.fixtures.ts';
import { mailSubjectPurpose } from '../queue/attempts.ts';
import { insertSentMails } from '../queue/store.ts';
import { ownServer } from '../scene.fixtures.ts';

let server: TestServer;
let sink: SmtpSink;
let refuse: SinkOptions['refuse'];
let scene: Scene;
beforeAll(async () => {
  sink = await openSmtpSink({ refuse: to => refuse?.(to) });
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_SMTP_URL: sink.url } });
});
afterAll(async () => {
  await server.close();
  await sink.close();
});
beforeEach(async () => {
  refuse = undefined;
  scene = await openScene(server);
});
afterEach(() => server.mailbox());

const port = () => Number(new URL(sink.url).port);
const log = () => scene.call('GET /internal/emails', { level: 'admin' });
const listed = (...items: object[]) => ({ status: 200, body: { items, is_paginated: false } });
const ask = (email: string) =>
  scene.call('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: 'http://localhost:3000/' } });

/** Runs the jobs with the real transport; `server.mailbox` would replace it. */
async function work(): Promise<void> {
  await runDueJobs(server);
}

const shared = (senderName = 'A project') => ({
  type: 'shared',
  host: '127.0.0.1',
  port: port(),
  username: '',
  sender_name: senderName,
  sender_email: 'noreply@localhost',
});

describe('GET /internal/emails', () => {
  test('is empty at first', async () => {
    expect(await log()).toEqual(listed());
  });

  test('lists a delivered email with its readable subject', async () => {
    await ask('ada@example.com');
    await work();
    const subject = sink.mails.at(-1)?.headers.subject;
    expect(subject).toMatch(/^Sign in to A project: Your code is [0-9A-Z]{6}$/);
    expect(await log()).toEqual(
      listed({
        id: anId,
        subject,
        to: ['ada@example.com'],
        sent_at_millis: server.clock.now(),
        sender_config: shared(),
        error: null,
      }),
    );
  });

  test('lists each attempt, including those through the project’s own server, without its password', async () => {
    await scene.configure(ownServer(server, sink));
    refuse = () => ({ code: 553, message: 'No such box' });
    await ask('eve@example.com');
    await work();
    expect(await log()).toEqual(
      listed({
        id: anId,
        subject: expect.stringContaining('Sign in to A project'),
        to: ['eve@example.com'],
        sent_at_millis: server.clock.now(),
        sender_config: {
          type: 'standard',
          host: '127.0.0.1',
          port: port(),
          username: 'acme',
          sender_name: 'Acme Mail',
          sender_email: 'mail@acme.example',
        },
        error: {
          errorType: 'INVALID_EMAIL_ADDRESS',
          canRetry: false,
          message: expect.stringContaining('No such box'),
          rawError: expect.objectContaining({ responseCode: 553 }),
        },
      }),
    );
  });

  test('lists only emails of the project', async () => {
    await ask('ada@example.com');
    await work();
    scene = await openScene(server);
    expect(await log()).toEqual(listed());
  });

  test('lists the 100 newest, newest first, in sending order within one millisecond', async () => {
    const { db, secrets } = server.deps;
    const sentAtMillis = server.clock.now();
    for (let count = 1; count <= 103; count++) {
      await insertSentMails(db, [
        {
          projectId: scene.project.id,
          id: randomUUID(),
          recipients: [],
          subject: secrets.encrypt(mailSubjectPurpose, `Mail ${count}`),
          senderConfig: shared(),
          error: null,
          sentAtMillis: count === 1 ? sentAtMillis + 1 : sentAtMillis,
        },
      ]);
    }
    const { body } = (await log()) as { body: { items: { subject: string }[] } };
    const newest = Array.from({ length: 99 }, (_, index) => `Mail ${103 - index}`);
    expect(body.items.map(({ subject }) => subject)).toEqual(['Mail 1', ...newest]);
  });

  test('refuses query parameters', async () => {
    expect(await scene.call('GET /internal/emails', { level: 'admin', query: { limit: '1' } })).toEqual(invalid);
  });
});

describe('GET /internal/extensions/sent-emails', () => {
  const page = async (query: Record<string, string>) => {
    const answer = await scene.call('GET /internal/extensions/sent-emails', { level: 'admin', query });
    return (answer as unknown as { body: LogPage }).body;
  };

  test('a page of a rare match ends after a number of attempts, and the next page continues there', async () => {
    const { db, secrets } = server.deps;
    const email = {
      projectId: scene.project.id,
      subject: secrets.encrypt(mailSubjectPurpose, 'Hello'),
      senderConfig: shared(),
      error: null,
      sentAtMillis: server.clock.now(),
    };
    const rare = { ...email, id: randomUUID(), recipients: ['Rare@example.com'] };
    await insertSentMails(db, [rare, { ...email, id: randomUUID(), recipients: ['ada@example.com'] }]);
    await db.query(sql`
      insert into sent_mails (project_id, id, recipients, subject, sender_config, sent_at_millis)
      select project_id, gen_random_uuid(), recipients, subject, sender_config, sent_at_millis + place
      from sent_mails, generate_series(1, ${sentEmailReadMax - 1}) place
      where project_id = ${scene.project.id} and id <> ${rare.id}
    `);
    const first = await page({ recipient: 'rare@' });
    expect(first.items).toEqual([]);
    const second = await page({ recipient: 'rare@', cursor: first.pagination.next_cursor ?? '' });
    expect(second.items).toMatchObject([{ id: rare.id, to: ['Rare@example.com'] }]);
    expect(second.pagination.next_cursor).toBeNull();
  });
});

interface LogPage {
  readonly items: readonly object[];
  readonly pagination: { readonly next_cursor: string | null };
}
