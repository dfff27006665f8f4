import { openSmtpSink, type SinkEmail, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { type KilledWorker, openKilledWorker } from '../../../test/killed-worker.ts';

/** Emails of one project that a process sends at a time. */
const inFlightPerProject = 32;

let worker: KilledWorker;
let server: TestServer;
let sink: SmtpSink;

beforeAll(async () => {
  worker = await openKilledWorker();
});
afterAll(() => worker.remove());
afterEach(async () => {
  await worker.stop();
  await server.close();
  await sink.close();
});

async function open(options: SinkOptions): Promise<void> {
  sink = await openSmtpSink(options);
  server = await openTestServer({ environment: { TESSERA_SMTP_URL: sink.url } });
}

async function enqueueEmails(count: number): Promise<void> {
  await transaction(server.deps.db, async tx => {
    for (let index = 0; index < count; index++) {
      const variables = { magicLink: `http://localhost/?code=${index}`, otp: 'AB12CD' };
      const email = {
        projectId: 'internal',
        template: 'magic_link',
        recipient: `p${index}@example.com`,
        variables,
      } as const;
      await server.deps.mail.send(tx, email);
    }
  });
}

function messageIds(): string[] {
  return sink.mails.map(({ headers }) => headers['message-id'] ?? '');
}

async function waitForEmptyQueue(): Promise<void> {
  await expect
    .poll(() => server.deps.db.query<{ count: number }>(sql`select count(*) as count from mails`), { timeout: 20_000 })
    .toEqual([{ count: 0 }]);
}

test('control 103: an email that was sent before the process was killed is sent again under the same id', async () => {
  let taken: (mail: SinkEmail) => void = () => undefined;
  const firstTaken = new Promise<SinkEmail>(resolve => {
    taken = resolve;
  });
  let deaths = 0;
  await open({
    // The mail server has the email; the sender never gets the response.
    beforeAccepted: async mail => {
      if (deaths++ > 0) return;
      await worker.kill();
      taken(mail);
    },
  });
  await enqueueEmails(1);
  worker.start(server, { TESSERA_SMTP_URL: sink.url });
  await firstTaken;
  await worker.runRemainingJobs(server);
  await waitForEmptyQueue();
  expect(sink.mails).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
  expect(await server.deps.db.query(sql`select error from sent_mails`)).toEqual([{ error: null }]);
});

test('control 103: an email that was not sent before the kill is sent once', async () => {
  let asked: () => void = () => undefined;
  const firstAsked = new Promise<void>(resolve => {
    asked = resolve;
  });
  let isFirst = true;
  await open({
    refuse: () => {
      if (!isFirst) return undefined;
      isFirst = false;
      void worker.kill();
      asked();
      return 'hang up';
    },
  });
  await enqueueEmails(1);
  worker.start(server, { TESSERA_SMTP_URL: sink.url });
  await firstAsked;
  await worker.kill();
  await worker.runRemainingJobs(server);
  await waitForEmptyQueue();
  expect(sink.mails).toHaveLength(1);
});

test('control 103: of many emails none is lost, and only those in flight at the kill are sent twice', async () => {
  const count = 60;
  let isKilled = false;
  let killed: () => void = () => undefined;
  const death = new Promise<void>(resolve => {
    killed = resolve;
  });
  await open({
    beforeAccepted: async () => {
      if (isKilled || sink.mails.length < count / 2) return;
      isKilled = true;
      await worker.kill();
      killed();
    },
  });
  await enqueueEmails(count);
  worker.start(server, { TESSERA_SMTP_URL: sink.url });
  await death;
  await worker.runRemainingJobs(server);
  await waitForEmptyQueue();
  expect(new Set(messageIds()).size).toBe(count);
  expect(sink.mails.length).toBeLessThanOrEqual(count + inFlightPerProject);
});
