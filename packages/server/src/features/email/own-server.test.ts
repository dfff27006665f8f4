import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, type Scene, sceneOf } from '../sign-in/scene.fixtures.ts';
import { ownServer } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let own: SmtpSink;
let refuse: SinkOptions['refuse'];

beforeEach(async () => {
  refuse = undefined;
  own = await openSmtpSink({ refuse: to => refuse?.(to) });
  server = await openTestServer({ passwords: plainPasswords() });
  scene = await openScene(server, ownServer(server, own));
});
afterEach(async () => {
  await server.close();
  await own.close();
});

const work = (deps: Partial<Deps> = {}) => runDueJobs({ ...server, deps: { ...server.deps, ...deps } });

const ask = (email = 'ada@example.com') =>
  scene.call('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: 'http://localhost:3000/' } });

/** Makes the waiting jobs due and returns their delays in seconds. */
async function skipPauses(): Promise<number[]> {
  const waiting = await server.deps.db.query<{ seconds: number }>(sql`
    with waiting as (select id, run_at from graphile_worker._private_jobs where run_at > now())
    update graphile_worker._private_jobs j set run_at = now() from waiting where waiting.id = j.id
    returning round(extract(epoch from waiting.run_at - now())) as seconds
  `);
  return waiting.map(({ seconds }) => seconds);
}

async function log() {
  const { body } = (await scene.call('GET /internal/emails', { level: 'admin' })) as { body: { items: object[] } };
  return body.items;
}

test('an email that the project’s server refuses temporarily is tried three times with growing delays, then later', async () => {
  refuse = () => ({ code: 450, message: 'Later' });
  await ask();
  const pauses: number[][] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    await work();
    pauses.push(await skipPauses());
  }
  expect(pauses).toEqual([[2], [4], [60]]);
  const attempt = { sender_config: { type: 'standard' }, error: { errorType: 'TEMPORARY', canRetry: true } };
  expect(await log()).toMatchObject([attempt, attempt, attempt]);
});

test('an email to a server without room is postponed without counting as an attempt', async () => {
  const full = {
    server: { host: '', port: 0, username: '' },
    send: () => Promise.reject(new Error('full')),
    close: () => undefined,
  };
  const ownMailServers = {
    ...server.deps.ownMailServers,
    transportTo: () => ({ ...full, room: () => 'later' as const }),
  };
  await ask();
  await work({ ownMailServers });
  const [pause = 0, ...more] = await skipPauses();
  expect(more).toEqual([]);
  expect(pause).toBeGreaterThanOrEqual(10);
  expect(pause).toBeLessThanOrEqual(120);
  expect(await log()).toEqual([]);
  await work();
  expect(own.mails).toHaveLength(1);
});

test.each(['a refused attempt', 'a server without room'])(
  'an email to users waits behind sign-in codes after %s',
  async cause => {
    const user = await scene.person({ primary_email: 'eve@example.com' });
    const body = { user_ids: [user.id], subject: 'News', html: 'News', notification_category_name: 'Marketing' };
    await scene.call('POST /emails/send-email', { level: 'server', body });
    const { ownMailServers } = server.deps;
    const transportTo: typeof ownMailServers.transportTo = (...to) => ({
      ...ownMailServers.transportTo(...to),
      room: () => 'later',
    });
    if (cause === 'a refused attempt') refuse = () => ({ code: 450, message: 'Later' });
    await work(refuse === undefined ? { ownMailServers: { ...ownMailServers, transportTo } } : {});
    refuse = undefined;
    expect(await skipPauses()).toHaveLength(1);
    await ask('ada@example.com');
    await work();
    expect(own.mails.map(({ envelope }) => envelope.to)).toEqual([['ada@example.com'], ['eve@example.com']]);
  },
);

test('emails of the installation use the installation’s server, also when the project has its own', async () => {
  scene = sceneOf(server, {
    id: 'internal',
    publishableClientKey: 'pck_test_internal',
    secretServerKey: 'ssk_test_internal',
    superSecretAdminKey: 'sak_test_internal',
  });
  await scene.configure(ownServer(server, own));
  const digest = { ofProject: 'A', failedCount: 'one email', failures: '', dashboardLink: 'http://localhost:4280/' };
  await transaction(server.deps.db, tx =>
    server.deps.mail.send(tx, {
      projectId: 'internal',
      template: 'failed_emails_digest',
      recipient: 'owner@example.com',
      variables: digest,
    }),
  );
  await ask('ada@example.com');
  expect((await server.mailbox()).map(({ to }) => to)).toEqual(['owner@example.com']);
  expect(own.mails.map(({ envelope }) => envelope.to)).toEqual([['ada@example.com']]);
});

test('a queued email to users is rejected when the project removes its own server', async () => {
  const user = await scene.person({ primary_email: 'ada@example.com' });
  const body = { user_ids: [user.id], subject: 'News', html: 'News', notification_category_name: 'Marketing' };
  await scene.call('POST /emails/send-email', { level: 'server', body });
  await scene.configure({ emailConfig: { type: 'shared' } });
  expect(await server.mailbox()).toEqual([]);
  expect(await log()).toMatchObject([{ subject: 'News', error: { errorType: 'REJECTED', canRetry: false } }]);
  expect(await server.deps.db.query(sql`select id from mails where failed_at_millis is null`)).toEqual([]);
});

test('the SMTP password is sent to the server only and is in no log and no table in plain text', async () => {
  await ask();
  await work();
  const rows = await server.deps.db.query(sql`select sender_config::text from sent_mails`);
  const configs = await server.deps.db.query(sql`select config::text from projects`);
  expect(rows).not.toEqual([]);
  expect(configs).not.toEqual([]);
  expect(JSON.stringify([rows, configs]) + server.logged()).not.toContain('top-secret');
  expect(own.mails).toHaveLength(1);
});

test('control 104: undelivered emails are purged after 30 days', async () => {
  const { purge, purgeTask } = await import('../../platform/database/purge.ts');
  const { emailPurgeRules } = await import('./purge.ts');
  const sweep = () => purge(emailPurgeRules, server.deps)({ task: purgeTask });
  const left = async () => (await server.deps.db.query(sql`select id from mails`)).length;
  await ask();
  await server.deps.db.query(sql`delete from graphile_worker._private_jobs`);
  server.clock.advance(30 * 24 * 3_600_000);
  await sweep();
  expect(await left()).toBe(1);
  server.clock.advance(1);
  await sweep();
  expect(await left()).toBe(0);
});

test('control 104: the log of sent emails and unused bodies are purged after 90 days', async () => {
  const { purge, purgeTask } = await import('../../platform/database/purge.ts');
  const { emailPurgeRules } = await import('./purge.ts');
  const user = await scene.person({ primary_email: 'ada@example.com' });
  const body = { user_ids: [user.id], subject: 'News', html: 'News', notification_category_name: 'Marketing' };
  const sweep = () => purge(emailPurgeRules, server.deps)({ task: purgeTask });
  const left = () =>
    server.deps.db.query(sql`
      select (select count(*) from sent_mails) as log, (select count(*) from mail_bodies) as texts
    `);
  await scene.call('POST /emails/send-email', { level: 'server', body });
  await work();
  server.clock.advance(90 * 24 * 3_600_000);
  await scene.call('POST /emails/send-email', { level: 'server', body });
  await sweep();
  expect(await left()).toEqual([{ log: 1, texts: 1 }]);
  server.clock.advance(1);
  await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: user.id } });
  await sweep();
  expect(await left()).toEqual([{ log: 0, texts: 0 }]);
});
