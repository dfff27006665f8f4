import { randomUUID } from 'node:crypto';
import { signInCodeLifetimeMs } from '@tessera/protocol';
import { closedPort } from '@tessera/testing/free-port';
import { openSmtpSink, type SinkOptions, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allWork } from '../../../compose.ts';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { mailSubjectPurpose } from './attempts.ts';

const link = 'https://app.example/handler?code=0123456789abcdefghjkmnpqrstvwxyz0123456789abc&after=%2Fhome';
const variables = { magicLink: link, otp: 'AB12CD' };

let server: TestServer;
let sink: SmtpSink | undefined;

afterEach(async () => {
  await server.close();
  await sink?.close();
  sink = undefined;
});

async function openWithoutServer(): Promise<void> {
  const TESSERA_SMTP_URL = `smtp://127.0.0.1:${closedPort}`;
  server = await openTestServer({ environment: { TESSERA_SMTP_URL, TESSERA_MAIL_FROM: 'mail@auth.example' } });
}

async function openWithSink(options?: SinkOptions, environment: Record<string, string> = {}): Promise<SmtpSink> {
  sink = await openSmtpSink(options);
  server = await openTestServer({
    environment: { TESSERA_SMTP_URL: sink.url, TESSERA_MAIL_FROM: 'mail@auth.example', ...environment },
  });
  return sink;
}

function enqueueEmail(recipient = 'ada@example.com', projectId = 'internal'): Promise<void> {
  return transaction(server.deps.db, tx =>
    server.deps.mail.send(tx, { projectId, template: 'magic_link', recipient, variables }),
  );
}

function work(): Promise<void> {
  return runDueJobs(server);
}

/** Makes the next attempt due and returns its delay in seconds. */
async function skipPause(): Promise<number[]> {
  const waiting = await server.deps.db.query<{ seconds: number }>(sql`
    with waiting as (select id, run_at - created_at as pause from graphile_worker._private_jobs where run_at > now())
    update graphile_worker._private_jobs j set run_at = now() from waiting where waiting.id = j.id
    returning round(extract(epoch from waiting.pause)) as seconds
  `);
  return waiting.map(({ seconds }) => seconds);
}

/** Makes all attempts, each at its time, and returns the delays between them in seconds. */
async function delaysOfAttempts(): Promise<number[]> {
  await work();
  const [delay] = await skipPause();
  if (delay === undefined) return [];
  server.clock.advance(delay * 1000);
  return [delay, ...(await delaysOfAttempts())];
}

/** The database takes no end of an email, as when its disk is full. */
async function refuseRecords(): Promise<void> {
  const { db } = server.deps;
  await db.query(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$
  `);
  await db.query(sql`create trigger refuse before insert on sent_mails for each row execute function refuse()`);
}

function logRows() {
  return server.deps.db.query<{ recipients: string[]; subject: Buffer; sender: object; error: object | null }>(sql`
    select recipients, subject, sender_config as sender, error from sent_mails where project_id = 'internal'
    order by sent_at_millis
  `);
}

async function leftOver(): Promise<object> {
  const [row] = await server.deps.db.query<object>(sql`
    select (select count(*) from mails) as mails, (select count(*) from graphile_worker._private_jobs) as jobs
  `);
  return row ?? {};
}

describe('a queued email', () => {
  test('is delivered over SMTP as text and HTML', async () => {
    const { mails } = await openWithSink();
    await enqueueEmail();
    await work();
    const [mail] = mails;
    expect(mail?.envelope).toEqual({ from: 'mail@auth.example', to: ['ada@example.com'] });
    expect(mail?.headers).toEqual({
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringContaining('multipart/alternative'),
      date: expect.any(String),
      from: 'Tessera <mail@auth.example>',
      'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@auth\.example>$/),
      'mime-version': '1.0',
      subject: 'Sign in to Tessera: Your code is AB12CD',
      to: 'ada@example.com',
    });
    expect(mail?.text.split('\n')).toEqual(expect.arrayContaining(['AB12CD', link]));
    expect(mail?.html).toContain(`href="${link.replace('&', '&amp;')}"`);
  });

  test('that the mail server accepted while the database is full is recorded afterwards, and is not sent again', async () => {
    const { mails } = await openWithSink();
    const { db } = server.deps;
    const { tasks } = allWork(server.deps);
    await enqueueEmail();
    await refuseRecords();
    for (let count = 0; count < 2; count++) {
      await runDueJobs(server, tasks);
      await skipPause();
    }
    await db.query(sql`drop trigger refuse on sent_mails`);
    await runDueJobs(server, tasks);
    expect(mails).toHaveLength(1);
    expect(await logRows()).toHaveLength(1);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('that one process sent while the database is full is not sent again by another process', async () => {
    const { mails } = await openWithSink();
    const { db } = server.deps;
    await enqueueEmail();
    await refuseRecords();
    await work();
    await db.query(sql`drop trigger refuse on sent_mails`);
    await expect.poll(leftOver).toMatchObject({ mails: 0 });
    await skipPause();
    await work();
    expect(mails).toHaveLength(1);
    expect(await logRows()).toHaveLength(1);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('leaves one log row with an encrypted subject, and nothing else', async () => {
    await openWithSink();
    await enqueueEmail();
    await work();
    const [row, ...others] = await logRows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      recipients: ['ada@example.com'],
      sender: {
        type: 'shared',
        host: '127.0.0.1',
        username: '',
        sender_name: 'Tessera',
        sender_email: 'mail@auth.example',
      },
      error: null,
    });
    expect(row?.subject.toString('latin1')).not.toContain('AB12CD');
    expect(server.deps.secrets.decrypt(mailSubjectPurpose, row?.subject ?? Buffer.alloc(0)).toString()).toBe(
      'Sign in to Tessera: Your code is AB12CD',
    );
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('is stored with encrypted variables, and its job has only ids', async () => {
    await openWithSink();
    await enqueueEmail();
    const [row] = await server.deps.db.query<{ variables: Buffer; payload: object }>(sql`
      select variables, (select payload from graphile_worker._private_jobs) as payload from mails
    `);
    expect(row?.variables.toString('latin1')).not.toMatch(/AB12CD|app\.example|code=/);
    expect(row?.payload).toEqual({ projectId: 'internal', id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test('is queued only while its user exists, and is deleted with the user', async () => {
    await openWithSink();
    const { userId } = await server.make.user({ email: 'ada@example.com' });
    const queuedEmail = {
      projectId: 'internal',
      template: 'magic_link',
      recipient: 'ada@example.com',
      variables,
    } as const;
    await transaction(server.deps.db, async tx => {
      await server.deps.mail.send(tx, { ...queuedEmail, userId: randomUUID() });
      await server.deps.mail.send(tx, { ...queuedEmail, userId });
    });
    const queuedEmails = () =>
      server.deps.db.query(sql`select user_id as "userId", template from mails order by template`);
    expect(await queuedEmails()).toEqual([
      { userId, template: 'email_verification' },
      { userId, template: 'magic_link' },
    ]);
    await server.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: userId } });
    await work();
    expect([await queuedEmails(), sink?.mails, await leftOver()]).toEqual([[], [], { mails: 0, jobs: 0 }]);
  });

  test('is not sent when its transaction is rolled back', async () => {
    const { mails } = await openWithSink();
    const failed = transaction(server.deps.db, async tx => {
      await server.deps.mail.send(tx, {
        projectId: 'internal',
        template: 'magic_link',
        recipient: 'ada@example.com',
        variables,
      });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await work();
    expect(mails).toEqual([]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('of a deleted project is not sent', async () => {
    const { mails } = await openWithSink();
    const project = await server.make.project();
    await enqueueEmail('ada@example.com', project.id);
    await server.deps.db.query(sql`delete from projects where id = ${project.id}`);
    await work();
    expect(mails).toEqual([]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });
});

describe('an email that the mail server refuses', () => {
  test('with 450 is tried three times with growing delays, then later, and each attempt is logged', async () => {
    await openWithSink({ refuse: () => ({ code: 450, message: 'Come back later' }) });
    await enqueueEmail();
    expect(await delaysOfAttempts()).toEqual([2, 4, 60, 300]);
    const error = {
      errorType: 'TEMPORARY',
      canRetry: true,
      message: expect.stringContaining('450 Come back later'),
      rawError: expect.objectContaining({ responseCode: 450 }),
    };
    expect((await logRows()).map(row => row.error)).toEqual([error, error, error, error, error]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test.each([
    [421, 'UNKNOWN'],
    [451, 'REJECTED'],
    [452, 'REJECTED'],
  ])('with %i is tried later, and each attempt is logged as %s', async (code, errorType) => {
    await openWithSink({ refuse: () => ({ code, message: 'Greylisted' }) });
    await enqueueEmail();
    expect(await delaysOfAttempts()).toEqual([60, 300]);
    const error = expect.objectContaining({ errorType, canRetry: false });
    expect((await logRows()).map(row => row.error)).toEqual([error, error, error]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('with 451 by greylisting is delivered by a later attempt', async () => {
    let refusals = 2;
    const { mails } = await openWithSink({
      refuse: () => (refusals-- > 0 ? { code: 451, message: 'Greylisted' } : undefined),
    });
    await enqueueEmail();
    expect(await delaysOfAttempts()).toEqual([60, 300]);
    expect(mails).toHaveLength(1);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('for now, without a code, gets a last attempt after half an hour, and is kept to be sent again', async () => {
    await openWithSink({ refuse: () => ({ code: 451, message: 'Greylisted' }) });
    await transaction(server.deps.db, tx =>
      server.deps.mail.send(tx, {
        projectId: 'internal',
        template: 'password_changed',
        recipient: 'a@b.example',
        variables: {},
      }),
    );
    expect(await delaysOfAttempts()).toEqual([60, 300, 1800]);
    expect(await leftOver()).toEqual({ mails: 1, jobs: 0 });
  });

  test('for now gets no attempt after its code has expired', async () => {
    await openWithSink({ refuse: () => ({ code: 451, message: 'Greylisted' }) });
    await enqueueEmail();
    server.clock.advance(signInCodeLifetimeMs - 60_000);
    expect(await delaysOfAttempts()).toEqual([]);
    expect(await logRows()).toHaveLength(1);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('temporarily is delivered by the next attempt', async () => {
    let refusals = 1;
    const { mails } = await openWithSink({
      refuse: () => (refusals-- > 0 ? { code: 450, message: 'Later' } : undefined),
    });
    await enqueueEmail();
    await work();
    await skipPause();
    await work();
    expect(mails).toHaveLength(1);
    expect((await logRows()).map(row => row.error !== null)).toEqual([true, false]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test.each([
    ['INVALID_EMAIL_ADDRESS', { refuse: () => ({ code: 553, message: 'No such name' }) }],
    ['REJECTED', { refuse: () => ({ code: 554, message: 'Spam' }) }],
    ['REJECTED', { refuse: () => ({ code: 550, message: 'No such user here' }) }],
    ['SOCKET_CLOSED', { refuse: () => 'hang up' }],
  ] satisfies [string, SinkOptions][])('permanently (%s) is tried once', async (errorType, options) => {
    await openWithSink(options);
    await enqueueEmail();
    await work();
    expect((await logRows()).map(row => row.error)).toEqual([expect.objectContaining({ errorType, canRetry: false })]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });

  test('because of the password is tried once, and the password is in no log', async () => {
    sink = await openSmtpSink({ refuseLogin: true });
    const url = sink.url.replace('smtp://', 'smtp://me:top-secret@');
    server = await openTestServer({ environment: { TESSERA_SMTP_URL: url } });
    await enqueueEmail();
    await work();
    const rows = await logRows();
    expect(rows).toMatchObject([{ error: { errorType: 'AUTH_FAILED' }, sender: { username: 'me' } }]);
    expect(JSON.stringify(rows) + server.logged()).not.toContain('top-secret');
  });

  test('because none is configured (production without TESSERA_SMTP_URL) is logged as HOST_NOT_FOUND', async () => {
    server = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
    await enqueueEmail();
    await work();
    expect(await logRows()).toMatchObject([
      { error: { errorType: 'HOST_NOT_FOUND', canRetry: false, message: expect.stringContaining('TESSERA_SMTP_URL') } },
    ]);
    expect(await leftOver()).toEqual({ mails: 0, jobs: 0 });
  });
});

describe('control 74: user input adds no header to an email', () => {
  const nasty = 'Acme\r\nBcc: all@example.com\u2028X: 1, "<other@example.com>"';

  test('in the name of a project, a team or a user', async () => {
    const { mails } = await openWithSink();
    await server.deps.db.query(sql`update projects set display_name = ${nasty} where id = 'internal'`);
    const queuedEmail = { projectId: 'internal', recipient: 'ada@example.com' } as const;
    const names = { teamDisplayName: `${nasty}\u0000`, userDisplayName: `${nasty}\u0000` };
    await transaction(server.deps.db, async tx => {
      const { mail } = server.deps;
      await mail.send(tx, {
        ...queuedEmail,
        template: 'team_invitation',
        variables: { teamInvitationLink: link, ...names },
      });
      await mail.send(tx, {
        ...queuedEmail,
        template: 'email_verification',
        variables: { emailVerificationLink: link, ...names },
      });
    });
    await work();
    const cleaned = 'Acme Bcc: all@example.com X: 1, "<other@example.com>"';
    const headerNames = [
      'from',
      'to',
      'message-id',
      'subject',
      'auto-submitted',
      'date',
      'mime-version',
      'content-type',
    ];
    expect(mails.map(({ headers }) => headers.subject)).toEqual([
      `Invitation to join ${cleaned.replaceAll('.com', '. com')} at ${cleaned}`,
      `Verify your email at ${cleaned}`,
    ]);
    for (const mail of mails) {
      expect([...mail.headerNames].sort()).toEqual(headerNames.sort());
      expect(mail.headers.from).toMatch(/^"Acme Bcc: .*" <mail@auth\.example>$/);
      expect(mail.envelope).toEqual({ from: 'mail@auth.example', to: ['ada@example.com'] });
    }
  });

  test.each([
    'ada@example.com\r\nRCPT TO:<b@example.com>',
    'a b@example.com',
    '<a@example.com>',
    'a@b@c>',
    'no-address',
  ])('with an address (%j)', async address => {
    const { mails } = await openWithSink();
    await enqueueEmail(address);
    await work();
    expect(mails).toEqual([]);
    expect(await logRows()).toMatchObject([{ error: { errorType: 'INVALID_EMAIL_ADDRESS' } }]);
  });

  test('in an address that contains a second address', async () => {
    const { mails } = await openWithSink();
    await enqueueEmail('a,b@example.com');
    await work();
    expect(mails.flatMap(({ envelope }) => envelope.to).length).toBeLessThanOrEqual(1);
  });
});

test('controls 23, 96: codes, links and addresses of emails are in no log', async () => {
  await openWithSink({ refuse: to => (to.startsWith('bad') ? { code: 450, message: `<${to}> later` } : undefined) });
  await enqueueEmail('ada.lovelace@example.com');
  await enqueueEmail('bad.address@example.com');
  await work();
  expect(server.logged()).toContain('the mail server refused an email');
  expect(server.logged()).not.toMatch(/AB12CD|0123456789abcdef|ada\.lovelace|bad\.address|code=/);
});

describe('server.mailbox of tests', () => {
  beforeEach(async () => {
    server = await openTestServer();
  });

  test('returns the emails of all servers on a database, newest first', async () => {
    const beside = await openTestServer({ beside: server });
    await server.make.user({ email: 'ada@example.com' });
    await server.call('POST /auth/otp/send-sign-in-code', {
      body: { email: 'bob@example.com', callback_url: 'http://localhost:3000/x?y=1' },
    });
    const subjects = (await beside.mailbox()).map(({ to, subject }) => [to, subject.replace(/\w{6}$/, '')]);
    expect(subjects).toEqual([
      ['bob@example.com', 'Sign in to Tessera: Your code is '],
      ['ada@example.com', expect.stringContaining('Verify your email at')],
    ]);
    const [queuedEmail] = await server.mailbox('bob@example.com');
    expect(queuedEmail?.link).toBe(`http://localhost:3000/x?code=${queuedEmail?.code}&y=1`);
    expect(queuedEmail?.otp).toBe(queuedEmail?.code.slice(0, 6).toUpperCase());
    await beside.close();
  });
});

describe('while the mail server of the installation cannot be reached', () => {
  test('emails wait, no attempt is counted, and another process that reaches it delivers them', async () => {
    await openWithoutServer();
    await enqueueEmail('ada@example.com');
    await enqueueEmail('bob@example.com');
    for (let round = 0; round < 4; round++) {
      await work();
      const pauses = await skipPause();
      expect(pauses).toHaveLength(2);
      for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(5);
    }
    expect(await logRows()).toEqual([]);

    sink = await openSmtpSink();
    const other = await openTestServer({ beside: server, environment: { TESSERA_SMTP_URL: sink.url } });
    await runDueJobs(other);
    // The sink waits for connections that are kept open.
    await other.close();
    expect(sink.mails.map(({ envelope }) => envelope.to[0]).toSorted()).toEqual(['ada@example.com', 'bob@example.com']);
  });

  test('each attempt finds an email that was counted once in the quota of its project', async () => {
    await openWithoutServer();
    const { deps } = server;
    await transaction(deps.db, tx =>
      deps.mail.send(tx, {
        projectId: 'internal',
        template: 'magic_link',
        recipient: 'ada@example.com',
        variables,
        countsInQuota: true,
      }),
    );
    const mailTransport = { ...deps.mailTransport, room: () => 'now' as const };
    for (let attempt = 0; attempt < 3; attempt++) {
      await runDueJobs({ ...server, deps: { ...deps, mailTransport } });
      expect(await skipPause()).toHaveLength(1);
    }
    const counters = await deps.db.query(sql`select points from rate_limits where key like '%mailsPerProject%'`);
    expect(counters).toEqual([{ points: 1 }, { points: 1 }]);
  });

  test('the pause before the next attempt grows with the age of an email, up to two minutes', async () => {
    await openWithoutServer();
    const { clock } = server;
    await enqueueEmail();
    await work();
    const [first = 0] = await skipPause();
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThanOrEqual(10);
    clock.advance(20_000);
    await work();
    const [second = 0] = await skipPause();
    expect(second).toBeLessThanOrEqual(20);
    clock.advance(3_600_000);
    await work();
    const [third = 0] = await skipPause();
    expect(third).toBeLessThanOrEqual(120);
  });

  test('an email fails after a day', async () => {
    await openWithoutServer();
    await transaction(server.deps.db, tx =>
      server.deps.mail.send(tx, {
        projectId: 'internal',
        template: 'sign_in_invitation',
        recipient: 'ada@example.com',
        variables: { signInInvitationLink: link },
      }),
    );
    await work();
    expect(await skipPause()).toHaveLength(1);
    server.clock.advance(24 * 3_600_000);
    await work();
    expect(await logRows()).toMatchObject([{ error: { errorType: 'UNKNOWN', canRetry: false } }]);
    expect(await skipPause()).toEqual([]);
  });
});
