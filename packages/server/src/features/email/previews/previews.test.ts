import { emailTemplateTypes } from '@tessera/protocol';
import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, plainPasswords, refused, type Scene, success } from '../../sign-in/scene.fixtures.ts';
import { ownServer } from '../scene.fixtures.ts';
import { defaultTemplate } from '../templates/templates.ts';

let server: TestServer;
let sink: SmtpSink;
let scene: Scene;
beforeAll(async () => {
  sink = await openSmtpSink({
    refuse: to => (to.startsWith('refused') ? { code: 554, message: 'No thanks' } : undefined),
  });
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(async () => {
  await server.close();
  await sink.close();
});
beforeEach(async () => {
  scene = await openScene(server, ownServer(server, sink));
  sink.mails.length = 0;
});

const content = {
  root: { type: 'EmailLayout', data: { childrenIds: ['a'] } },
  a: { type: 'Text', data: { props: { text: 'Hello {{userDisplayName}}' } } },
};
const preview = (type: string, body: object, level: 'admin' | 'server' = 'admin') =>
  scene.call('POST /internal/extensions/email-templates/{type}/preview', { level, params: { type }, body });
const sendTest = (type: string, body: object, of = scene) =>
  of.call('POST /internal/extensions/email-templates/{type}/test', { level: 'admin', params: { type }, body });
const rendering = { status: 400, code: 'EMAIL_RENDERING_ERROR', details: expect.anything() };

describe('the preview of an email template', () => {
  test('control 88: takes turns, and more than fifty that wait are refused with 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => preview('magic_link', { subject: 'x', content })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test('fills subject and blocks with sample values, and names the variables', async () => {
    expect(await preview('email_verification', { subject: 'Hi {{userDisplayName}}', content })).toEqual({
      status: 200,
      body: {
        subject: 'Hi Ada Lovelace',
        html: expect.stringContaining('Hello Ada Lovelace'),
        text: 'Hello Ada Lovelace\n',
        variables: [
          { name: 'emailVerificationLink', sample: 'https://app.example.com/handler/email-verification?code=sample' },
          { name: 'userDisplayName', sample: 'Ada Lovelace' },
          { name: 'otp', sample: 'A1B2C3' },
          { name: 'projectDisplayName', sample: expect.any(String) },
        ],
      },
    });
  });

  test.each(emailTemplateTypes)('of the built-in %s has no empty variable', async type => {
    const answer = await preview(type, defaultTemplate(type));
    expect(answer).toMatchObject({ status: 200, body: { text: expect.not.stringMatching(/[{}]|undefined/) } });
  });

  test('refuses blocks that an email cannot have, a document without a root, and one with a cycle', async () => {
    const cyclic = { root: { type: 'EmailLayout', data: { childrenIds: ['root'] } } };
    expect(await preview('magic_link', { subject: 'x', content: { root: { type: 'Script' } } })).toEqual(rendering);
    expect(await preview('magic_link', { subject: 'x', content: {} })).toEqual(rendering);
    expect(await preview('magic_link', { subject: 'x', content: cyclic })).toEqual(rendering);
  });

  test('refuses a text that is too long, an unknown type, and a server key', async () => {
    const long = { root: { type: 'Text', data: { props: { text: 'x'.repeat(200_000) } } } };
    expect(await preview('magic_link', { subject: 'x', content: long })).toEqual(invalid);
    expect(await preview('magic_link', { subject: 'x'.repeat(1_001), content })).toEqual(invalid);
    expect(await preview('newsletter', { subject: 'x', content })).toEqual(invalid);
    expect(await preview('magic_link', { subject: 'x', content }, 'server')).toMatchObject({
      code: 'INSUFFICIENT_ACCESS_TYPE',
    });
  });

  test('sends nothing, and adds no event to the audit log', async () => {
    await preview('magic_link', { subject: 'x', content });
    await server.mailbox();
    expect(sink.mails).toEqual([]);
    const { id } = scene.project;
    expect(
      await server.deps.db.query(sql`
        select 1 as one from audit_events where project_id = ${id} and details ->> 'route' like '%preview%'
      `),
    ).toEqual([]);
  });
});

describe('the test email of a template', () => {
  test('has the given text with sample values, and is in the log', async () => {
    const body = { recipient_email: 'me@example.com', subject: 'Try {{otp}}', content };
    expect(await sendTest('magic_link', body)).toEqual(success);
    expect(sink.mails).toMatchObject([{ envelope: { to: ['me@example.com'] }, headers: { subject: 'Try A1B2C3' } }]);
    expect(await scene.call('GET /internal/extensions/sent-emails', { level: 'admin' })).toMatchObject({
      body: { items: [{ subject: 'Try A1B2C3', to: ['me@example.com'], error: null, user_id: null }] },
    });
  });

  test('has the stored text when none is given', async () => {
    const params = { type: 'magic_link' };
    const stored = { subject: 'Stored {{otp}}' };
    await scene.call('PATCH /email-templates/{type}', { level: 'admin', params, body: stored });
    expect(await sendTest('magic_link', { recipient_email: 'me@example.com' })).toEqual(success);
    expect(sink.mails[0]?.headers).toMatchObject({ subject: 'Stored A1B2C3' });
  });

  test('answers with the failure when the mail server refuses it', async () => {
    expect(await sendTest('magic_link', { recipient_email: 'refused@example.com' })).toEqual({
      status: 200,
      body: { success: false, error_message: expect.stringContaining('No thanks') },
    });
  });

  test('is sent through the installation with the built-in text only', async () => {
    const shared = await openScene(server);
    expect(await sendTest('magic_link', { recipient_email: 'me@example.com', content }, shared)).toEqual(refused(400));
    expect(await sendTest('magic_link', { recipient_email: 'me@example.com' }, shared)).toMatchObject({ status: 200 });
  });

  test('is refused with 429 after 60 in an hour', async () => {
    const { rateLimits } = server.deps;
    const use = {
      limit: 'testEmailsPerProject',
      key: `testEmailsPerProject:${scene.project.id}:all`,
      points: 60,
    } as const;
    for (let count = 0; count < 60; count += 1) await rateLimits.count([use]);
    expect(await sendTest('magic_link', { recipient_email: 'me@example.com' })).toMatchObject({ status: 429 });
  });
});
