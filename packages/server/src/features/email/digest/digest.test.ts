import { randomUUID } from 'node:crypto';
import { noticesPerUnverifiedRecipient } from '@tessera/protocol';
import { ask, type ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { mailSubjectPurpose } from '../queue/attempts.ts';
import { insertSentMails } from '../queue/store.ts';

const secret = 'a secret of the scheduler';
const hourMs = 3_600_000;

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({
    environment: { TESSERA_CRON_SECRET: secret, TESSERA_MAIL_FROM: 'mail@auth.example' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  // Emails of earlier tests leave the 24-hour window.
  server.clock.advance(25 * hourMs);
  project = await server.make.project();
});

/** @returns the id */
async function owner(email: string | null, projectIds: readonly string[] = [project.id]): Promise<string> {
  const body = { primary_email: email, server_metadata: { managedProjectIds: projectIds } };
  const { json } = await server.call('POST /users', { level: 'server', body });
  return z.object({ id: z.string() }).parse(json).id;
}

async function attempt(
  subject: string,
  { to = ['ada@example.com'], isFailed = true, id = project.id } = {},
): Promise<void> {
  const { db, secrets, clock } = server.deps;
  await insertSentMails(db, [
    {
      projectId: id,
      id: randomUUID(),
      recipients: to,
      subject: secrets.encrypt(mailSubjectPurpose, subject),
      senderConfig: {},
      error: isFailed ? { errorType: 'REJECTED' } : null,
      sentAtMillis: clock.now(),
    },
  ]);
}

async function digest(query = '', authorization = `Bearer ${secret}`) {
  const {
    status,
    json,
    headers: given,
  } = await ask(server.app, `/api/v1/internal/failed-emails-digest${query}`, {
    method: 'POST',
    headers: { authorization },
  });
  return { status, code: given.get('x-stack-known-error'), json };
}

const digestOf = (...failed_emails_by_tenancy: object[]) => ({
  status: 200,
  code: null,
  json: { success: true, failed_emails_by_tenancy },
});
const refusedWith = (status: number, code: string | null = null) => ({
  status,
  code,
  json: code === null ? undefined : expect.anything(),
});

describe('POST /internal/failed-emails-digest', () => {
  test('requires the scheduler secret', async () => {
    const wrong = [secret, `bearer ${secret}`, 'Bearer ', `Bearer ${secret} `.repeat(2), 'Bearer undefined'];
    for (const authorization of wrong) expect(await digest('', authorization)).toEqual(refusedWith(401));
    const { status, headers } = await ask(server.app, '/api/v1/internal/failed-emails-digest', { method: 'POST' });
    expect([status, headers.get('x-stack-known-error')]).toEqual([400, 'SCHEMA_ERROR']);
  });

  test('is refused with 401 when TESSERA_CRON_SECRET is not set', async () => {
    const without = await openTestServer({ beside: server });
    const { status } = await ask(without.app, '/api/v1/internal/failed-emails-digest', {
      method: 'POST',
      headers: { authorization: 'Bearer undefined' },
    });
    expect(status).toBe(401);
    await without.close();
  });

  test.each(['?dry_run=maybe', '?dry_run=', '?other=1'])('the query %s is refused with SCHEMA_ERROR', async query => {
    expect(await digest(query)).toEqual(refusedWith(400, 'SCHEMA_ERROR'));
  });

  test('returns an empty list when no email failed in the last 24 hours', async () => {
    await owner('owner@example.com');
    await attempt('Old');
    server.clock.advance(24 * hourMs);
    await attempt('Fine', { isFailed: false });
    expect(await digest()).toEqual(digestOf());
  });

  test('sends each owner one email per project, from the installation', async () => {
    const other = await server.make.project();
    await owner('one@example.com', [other.id, project.id]);
    await owner('two@example.com');
    await attempt('First');
    await attempt('Second', { to: ['ada@example.com', 'bob@example.com'] });
    await attempt('Elsewhere', { id: other.id });
    const here = {
      emails: [
        { subject: 'Second', to: ['ada@example.com', 'bob@example.com'] },
        { subject: 'First', to: ['ada@example.com'] },
      ],
      tenant_owner_emails: ['one@example.com', 'two@example.com'],
      project_id: project.id,
      tenancy_id: project.id,
    };
    const there = {
      emails: [{ subject: 'Elsewhere', to: ['ada@example.com'] }],
      tenant_owner_emails: ['one@example.com'],
      project_id: other.id,
      tenancy_id: other.id,
    };
    const both = [here, there].sort((one, two) => (one.project_id < two.project_id ? -1 : 1));
    expect(await digest('?dry_run=false')).toEqual(digestOf(...both));
    const received = await server.mailbox();
    const digests = received.filter(({ subject }) => subject === 'Some of your emails could not be sent');
    expect(digests.map(({ to }) => to).sort()).toEqual(['one@example.com', 'one@example.com', 'two@example.com']);
    expect(digests.find(({ to }) => to === 'two@example.com')).toMatchObject({
      from: { name: 'Tessera', address: 'mail@auth.example' },
      link: `http://localhost:4280/dashboard/projects/${project.id}/emails`,
      text: expect.stringContaining(
        [
          'the mail server refused 2 emails of A project:',
          '',
          '“Second” to ada@example.com, bob@example.com',
          '“First” to ada@example.com',
          '',
        ].join('\n'),
      ),
    });
  });

  test('control 72: five digests an hour go to an unverified address, and a verified one gets all', async () => {
    const projects = [project];
    while (projects.length <= noticesPerUnverifiedRecipient) projects.push(await server.make.project());
    const ids = projects.map(({ id }) => id);
    await owner('stranger@example.com', ids);
    const user_id = await owner('proved@example.com', ids);
    const body = { primary_email_verified: true };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id }, body });
    for (const id of ids) await attempt('First', { id });
    await digest();
    expect(await server.mailbox('stranger@example.com')).toHaveLength(noticesPerUnverifiedRecipient);
    expect(await server.mailbox('proved@example.com')).toHaveLength(projects.length);
  });

  test('sends nothing to a suspended owner', async () => {
    await owner('one@example.com');
    const user_id = await owner('suspended@example.com');
    await server.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params: { user_id }, body: {} });
    await attempt('First');
    expect(await digest()).toMatchObject({
      json: { failed_emails_by_tenancy: [{ tenant_owner_emails: ['one@example.com'] }] },
    });
    expect(await server.mailbox('suspended@example.com')).toEqual([]);
  });

  test('sends no email in a dry run', async () => {
    await owner('dry@example.com');
    await attempt('First');
    expect(await digest('?dry_run=true')).toMatchObject({ json: { failed_emails_by_tenancy: [{ emails: [{}] }] } });
    expect(await server.mailbox('dry@example.com')).toEqual([]);
  });

  test('leaves out projects whose owners have no email address, and deleted projects', async () => {
    const gone = await server.make.project();
    await owner(null);
    await owner('gone@example.com', [gone.id]);
    await attempt('First');
    await attempt('Second', { id: gone.id });
    await server.call('DELETE /internal/projects/current', { project: gone, level: 'admin' });
    expect(await digest('?dry_run=true')).toEqual(digestOf());
  });

  test('control 75: an address that a mail program could take for a link is not one', async () => {
    await owner('links@example.com');
    await attempt('News', { to: ['ada.l@example.com', 'visit.evil.example/now@evil.example'] });
    await digest();
    const [received] = await server.mailbox('links@example.com');
    expect(received?.text).toContain('“News” to ada.l@example.com, visit. evil. example/now@evil. example\n');
  });

  test('control 68: shows no code of a subject, which may still be valid', async () => {
    await owner('codes@example.com');
    await attempt('Sign in to Acme: Your code is AB12CD');
    await digest();
    const [received] = await server.mailbox('codes@example.com');
    expect(received?.text).toContain('“Sign in to Acme: Your code is ••••••” to ada@example.com');
    expect(received?.html).not.toContain('AB12CD');
  });

  test('lists ten emails and counts all; controls 74 and 75: a subject adds no markup, link or line', async () => {
    await owner('many@example.com');
    for (let count = 1; count <= 11; count++) await attempt(`Mail ${count}`);
    await attempt(`Join <b>us</b> [here](https://evil.com)\n\nhttps://evil.com ${'x'.repeat(100)}`);
    await digest();
    const [received] = await server.mailbox('many@example.com');
    const lines = received?.text.split('\n').filter(line => line.startsWith('“')) ?? [];
    expect(received?.text).toContain('refused 12 emails of');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatch(/^“.{50}” to ada@example\.com$/u);
    expect(lines[1]).toBe('“Mail 11” to ada@example.com');
    expect(received?.html).toContain('Join &lt;b&gt;us&lt;/b&gt;');
    expect(received?.html).not.toMatch(/href="https:\/\/evil|evil\.com/);
  });
});
