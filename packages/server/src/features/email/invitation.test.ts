import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { invalid, openScene, type Scene, success, untrusted } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_MAIL_FROM: 'mail@auth.example' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
});

const callback_url = 'http://localhost:3000/come?from=mail#now';
const invite = (body: unknown, level: 'server' | 'admin' = 'server') =>
  scene.call('POST /internal/send-sign-in-invitation', { level, body });

test.each(['server', 'admin'] as const)('an invitation at level %s has the callback as its link', async level => {
  const email = `${level}@example.com`;
  expect(await invite({ email: email.toUpperCase(), callback_url }, level)).toEqual(success);
  expect(await server.mailbox(email)).toMatchObject([
    {
      subject: 'You are invited to A project',
      link: callback_url,
      from: { name: 'A project', address: 'mail@auth.example' },
    },
  ]);
});

test('an invitation creates no user and no code, and the response is equal for existing and new users', async () => {
  const email = scene.address();
  await scene.person({ primary_email: email });
  expect(await invite({ email, callback_url })).toEqual(success);
  expect(await invite({ email: 'new@nowhere', callback_url })).toEqual(success);
  const { body } = (await scene.call('GET /users', { level: 'server' })) as { body: { items: unknown[] } };
  expect(body.items).toHaveLength(1);
  const [received] = await server.mailbox('new@nowhere');
  expect(received?.code).toBe('');
});

test('an invitation with an untrusted callback URL is refused', async () => {
  expect(await invite({ email: 'ada@example.com', callback_url: 'https://evil.example' })).toEqual(untrusted);
});

test.each([
  {},
  { email: 'ada@example.com' },
  { callback_url },
  { email: '', callback_url },
  { email: 'ada', callback_url },
  { email: 'ada@example.com', callback_url: '/come' },
  { email: 'ada@example.com', callback_url, name: 'Ada' },
])('an invitation with the invalid body %j is refused', async body => {
  expect(await invite(body)).toEqual(invalid);
});

test('control 72: the sixth invitation to one address is refused with 429', async () => {
  const email = scene.address();
  const answers: unknown[] = [];
  for (let count = 0; count < 6; count++) answers.push((await invite({ email, callback_url })).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await server.mailbox(email)).toHaveLength(5);
});
