import { emailTemplateTypes, type Json } from '@tessera/protocol';
import { openSmtpSink, type SmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, plainPasswords, refused, type Scene, success } from '../../sign-in/scene.fixtures.ts';
import { ownServer } from '../scene.fixtures.ts';
import { builtInTemplates } from '../templates/templates.ts';

let server: TestServer;
let sink: SmtpSink;
let scene: Scene;
beforeAll(async () => {
  sink = await openSmtpSink();
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(async () => {
  await server.close();
  await sink.close();
});
beforeEach(async () => {
  scene = await openScene(server, ownServer(server, sink));
});

const admin = { level: 'admin' } as const;
const list = () => scene.call('GET /email-templates', admin);
const read = (type: string) => scene.call('GET /email-templates/{type}', { ...admin, params: { type } });
const update = (type: string, body: unknown) =>
  scene.call('PATCH /email-templates/{type}', { ...admin, params: { type }, body });
const reset = (type: string) => scene.call('DELETE /email-templates/{type}', { ...admin, params: { type } });

const byDefault = (type: keyof typeof builtInTemplates) => ({ type, ...builtInTemplates[type], is_default: true });
const content = { root: { type: 'EmailLayout', data: { childrenIds: ['a'] } }, a: words('Hello {{userDisplayName}}') };

function words(text: string) {
  return { type: 'Text', data: { props: { text }, style: { padding: null } }, note: 'kept' };
}

describe('reading email templates', () => {
  test('the list has five templates in their order, built-in by default', async () => {
    const items = emailTemplateTypes.map(byDefault);
    expect(await list()).toEqual({ status: 200, body: { items, is_paginated: false } });
    expect(items.map(({ type }) => type)).toEqual([
      'email_verification',
      'password_reset',
      'magic_link',
      'team_invitation',
      'sign_in_invitation',
    ]);
  });

  test.each(emailTemplateTypes)('the template %s is read by its type', async type => {
    expect(await read(type)).toEqual({ status: 200, body: byDefault(type) });
  });

  test.each(['api_key_leaked', 'failed_emails_digest', 'constructor', 'MAGIC_LINK'])(
    '%s is refused as the name of a template',
    async type => {
      expect(await read(type)).toEqual(invalid);
      expect(await update(type, {})).toEqual(invalid);
      expect(await reset(type)).toEqual(invalid);
    },
  );

  test('an unknown query parameter is refused', async () => {
    expect(await scene.call('GET /email-templates', { ...admin, query: { type: 'magic_link' } })).toEqual(invalid);
  });
});

describe('changing an email template', () => {
  test('stores subject and content', async () => {
    const own = { type: 'magic_link', subject: 'Code {{otp}}', content, is_default: false };
    expect(await update('magic_link', { subject: own.subject, content })).toEqual({ status: 200, body: own });
    expect(await read('magic_link')).toEqual({ status: 200, body: own });
    const items = emailTemplateTypes.map(type => (type === 'magic_link' ? own : byDefault(type)));
    expect(await list()).toEqual({ status: 200, body: { items, is_paginated: false } });
  });

  test('stores one part; the other one keeps its value or the built-in default', async () => {
    const { subject } = builtInTemplates.password_reset;
    const first = { type: 'password_reset', subject, content, is_default: false };
    expect(await update('password_reset', { content })).toEqual({ status: 200, body: first });
    const second = { ...first, subject: 'Reset' };
    expect(await update('password_reset', { subject: 'Reset' })).toEqual({ status: 200, body: second });
    expect(await update('password_reset', { subject: '' })).toEqual({ status: 200, body: second });
  });

  test('with an empty body stores the built-in template as the project’s own', async () => {
    const own = { ...byDefault('team_invitation'), is_default: false };
    expect(await update('team_invitation', {})).toEqual({ status: 200, body: own });
    expect(await read('team_invitation')).toEqual({ status: 200, body: own });
  });

  test('changes this project only', async () => {
    await update('magic_link', { subject: 'Own' });
    scene = await openScene(server, ownServer(server, sink));
    expect(await read('magic_link')).toEqual({ status: 200, body: byDefault('magic_link') });
  });

  test.each<[string, Json]>([
    ['nothing', {}],
    ['a list of nothing', []],
    ['a number', 0],
    ['unknown keys', { x: { type: 'Divider', data: { a: { b: [null] } }, c: 1.5 } }],
    ['a key called __proto__', JSON.parse('{"__proto__":{"type":"Spacer","data":{}}}')],
  ])('returns the content unchanged: %s', async (_, value) => {
    const answer = await update('magic_link', { content: value });
    expect(answer).toMatchObject({ status: 200 });
    const { body } = (await read('magic_link')) as { body: { content: Json } };
    expect(JSON.stringify(body.content)).toBe(JSON.stringify(value));
  });

  test.each<[string, Json]>([
    ['a text', 'hello'],
    ['a list of blocks', [words('a')]],
    ['a wrong block', { ...content, a: { type: 'Text', data: { style: { color: 'red' } } } }],
    ['an unknown block', { ...content, a: { type: 'Html', data: {} } }],
  ])('refuses the content: %s', async (_, value) => {
    expect(await update('magic_link', { subject: 'Own', content: value })).toEqual(refused(400));
    expect(await read('magic_link')).toEqual({ status: 200, body: byDefault('magic_link') });
  });

  test.each([
    { content: null },
    { subject: null },
    { subject: {} },
    { subject: 'a', type: 'magic_link' },
    [],
    undefined,
  ])('refuses the invalid body %j', async body => {
    expect(await update('magic_link', body)).toEqual(invalid);
  });

  test('is refused before the content is checked while the project uses the installation’s server', async () => {
    await update('magic_link', { subject: 'Own' });
    await scene.configure({ emailConfig: { type: 'shared' } });
    expect(await update('magic_link', { subject: 'Other' })).toEqual(refused(400));
    expect(await update('magic_link', { content: 'no blocks' })).toEqual(refused(400));
    expect(await update('magic_link', { content: null })).toEqual(invalid);
    expect(await read('magic_link')).toMatchObject({ body: { subject: 'Own', is_default: false } });
  });

  test('by concurrent requests keeps every part', async () => {
    const changes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? { subject: 'Own' } : { content }));
    const answers = await Promise.all(changes.map(body => update('sign_in_invitation', body)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await read('sign_in_invitation')).toMatchObject({ body: { subject: 'Own', content, is_default: false } });
  });
});

describe('resetting an email template', () => {
  test('restores the built-in template; a second reset returns 404', async () => {
    await update('magic_link', { subject: 'Own' });
    expect(await reset('magic_link')).toEqual(success);
    expect(await read('magic_link')).toEqual({ status: 200, body: byDefault('magic_link') });
    expect(await reset('magic_link')).toEqual(refused(404));
  });

  test('is possible while the project uses the installation’s server', async () => {
    await update('magic_link', { subject: 'Own' });
    await scene.configure({ emailConfig: { type: 'shared' } });
    expect(await reset('magic_link')).toEqual(success);
  });
});

describe('an email with the project’s own template', () => {
  const invite = (email: string) =>
    scene.call('POST /internal/send-sign-in-invitation', {
      level: 'server',
      body: { email, callback_url: 'http://localhost:3000/join?a=1' },
    });
  const own = {
    subject: 'Welcome to {{projectDisplayName}}{{userDisplayName}}{{constructor}}',
    content: {
      root: { type: 'EmailLayout', data: { childrenIds: ['text', 'button', 'image'] } },
      text: {
        type: 'Text',
        data: { props: { text: '{{#if userDisplayName}}no{{else}}Come & see{{/if}} {{#each x}}' } },
      },
      button: { type: 'Button', data: { props: { text: 'Join', url: '{{signInInvitationLink}}&b=2' } } },
      image: {
        type: 'Image',
        data: { props: { url: 'https://a.example/{{unknown}}.png', alt: '{{projectDisplayName}}' } },
      },
    },
  };

  test('is rendered with it and sent through the project’s own server', async () => {
    await update('sign_in_invitation', own);
    await invite('ada@example.com');
    await server.mailbox();
    const mail = sink.mails.find(({ envelope }) => envelope.to.includes('ada@example.com'));
    expect(mail).toMatchObject({
      envelope: { from: 'mail@acme.example', to: ['ada@example.com'] },
      headers: { subject: 'Welcome to A project', from: 'Acme Mail <mail@acme.example>' },
      // A text that is not a valid template is used unchanged.
      text: '{{#if userDisplayName}}no{{else}}Come & see{{/if}} {{#each x}}\n\nJoin:\nhttp://localhost:3000/join?a=1&b=2\n\nA project\n',
    });
    expect(mail?.html).toContain('href="http://localhost:3000/join?a=1&amp;b=2"');
    expect(mail?.html).toContain('src="https://a.example/.png"');
  });

  test('is rendered with it after the project returns to the installation’s server', async () => {
    await update('sign_in_invitation', { subject: 'Own words' });
    await scene.configure({ emailConfig: { type: 'shared' } });
    await invite('bob@example.com');
    expect(await server.mailbox('bob@example.com')).toMatchObject([
      { subject: 'Own words', from: { name: 'A project', address: 'noreply@localhost' } },
    ]);
  });

  test('is rendered with the built-in template when its blocks cannot be rendered', async () => {
    await update('sign_in_invitation', { subject: 'Own words', content: {} });
    await scene.configure({ emailConfig: { type: 'shared' } });
    await invite('eve@example.com');
    expect(await server.mailbox('eve@example.com')).toMatchObject([
      { subject: 'Own words', link: 'http://localhost:3000/join?a=1' },
    ]);
  });
});
