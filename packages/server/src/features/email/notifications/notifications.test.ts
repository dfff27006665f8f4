import { createHash, randomUUID } from 'node:crypto';
import { rateLimits } from '@tessera/protocol';
import { type Answered, ask, type CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  invalid,
  noCode,
  noUser,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
} from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let eve: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  [ada, eve] = [await scene.person(), await scene.person()];
});

const transactional = '7bb82d33-2f54-4a3d-9d23-82739e0d66ef';
const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c';
const levels = ['client', 'server', 'admin'] as const;
const asServer = { level: 'server' } as const;
const as = ({ accessToken }: Person): CallOptions => ({ accessToken });
const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
const noSuchUser = { status: 404, code: 'USER_NOT_FOUND' };

const item = (id: string, enabled: boolean) => ({
  notification_category_id: id,
  notification_category_name: id === marketing ? 'Marketing' : 'Transactional',
  enabled,
  can_disable: id === marketing,
});
const listed = (isMarketingOn: boolean) => ({
  status: 200,
  body: { items: [item(transactional, true), item(marketing, isMarketingOn)], is_paginated: false },
});
const list = (options: CallOptions, user_id = ada.id) =>
  scene.call('GET /emails/notification-preference/{user_id}', { ...options, params: { user_id } });
const update = (options: CallOptions, enabled: unknown, { user_id = ada.id, category_id = marketing } = {}) =>
  scene.call('PATCH /emails/notification-preference/{user_id}/{category_id}', {
    ...options,
    params: { user_id, category_id },
    body: { enabled },
  });

test('changes of preferences count as writes of the user', async () => {
  const { points, windowMs } = rateLimits.clientWritesPerUser;
  const key = `clientWritesPerUser:${scene.project.id}:${ada.id}`;
  await server.deps.db.query(
    sql`insert into rate_limits (key, points, expire) values (${key}, ${points}, ${Date.now() + windowMs})`,
  );
  expect(await update(as(ada), false)).toEqual(refused(429));
  expect(await update(asServer, false)).toMatchObject({ status: 200 });
});

describe('GET /emails/notification-preference/{user_id}', () => {
  test.each(levels)('lists both categories in their order at level %s', async level => {
    expect(await list({ ...as(ada), level })).toEqual(listed(true));
    expect(await list({ ...as(ada), level }, 'me')).toEqual(listed(true));
    expect(await list({ ...as(ada), level }, ada.id.toUpperCase())).toEqual(listed(true));
  });

  test('control 92: a client reads its own preferences only, a server those of existing users', async () => {
    const elsewhere = await (await openScene(server)).person();
    expect(await list({}, 'me')).toEqual(noUser);
    expect(await list(asServer, 'me')).toEqual(noUser);
    expect(await list({})).toEqual(signedOut);
    expect(await list(as(eve))).toEqual(refused(403));
    expect(await list(as(eve), randomUUID())).toEqual(refused(403));
    for (const id of [randomUUID(), elsewhere.id]) expect(await list(asServer, id)).toMatchObject(noSuchUser);
    expect(await list(as(ada), 'x')).toEqual(invalid);
    expect(
      await scene.call('GET /emails/notification-preference/{user_id}', {
        ...as(ada),
        params: { user_id: 'me' },
        query: { more: '1' },
      }),
    ).toEqual(invalid);
  });
});

describe('PATCH /emails/notification-preference/{user_id}/{category_id}', () => {
  test.each(levels)('disables and enables a category at level %s', async level => {
    const options = { ...as(ada), level };
    expect(await update(options, false)).toEqual({ status: 200, body: item(marketing, false) });
    expect(await list(options)).toEqual(listed(false));
    expect(await update(options, true, { user_id: 'me', category_id: marketing.toUpperCase() })).toEqual({
      status: 200,
      body: item(marketing, true),
    });
    expect(await list(options)).toEqual(listed(true));
  });

  test('changes one user only', async () => {
    await update(as(ada), false);
    expect(await list(as(eve), eve.id)).toEqual(listed(true));
  });

  test('can_disable does not restrict the API: a category with can_disable false can be disabled', async () => {
    for (const isEnabled of [false, true]) {
      expect(await update(as(ada), isEnabled, { category_id: transactional })).toEqual({
        status: 200,
        body: item(transactional, isEnabled),
      });
    }
    expect(await list(as(ada))).toEqual(listed(true));
  });

  test('control 92: refusals are checked in the order category, user, owner, existence', async () => {
    const category_id = randomUUID();
    const elsewhere = await (await openScene(server)).person();
    expect(await update({}, false, { user_id: 'me', category_id })).toEqual(noUser);
    expect(await update(asServer, false, { user_id: 'me', category_id })).toEqual(noUser);
    expect(await update({}, false, { category_id })).toEqual(refused(404));
    expect(await update({}, false)).toEqual(signedOut);
    expect(await update(as(eve), false, { category_id })).toEqual(refused(404));
    expect(await update(as(eve), false)).toEqual(refused(403));
    expect(await update(as(eve), false, { user_id: randomUUID() })).toEqual(refused(403));
    expect(await update(asServer, false, { user_id: randomUUID(), category_id })).toEqual(refused(404));
    for (const user_id of [randomUUID(), elsewhere.id]) {
      expect(await update(asServer, false, { user_id })).toMatchObject(noSuchUser);
    }
    expect(await list(as(ada))).toEqual(listed(true));
  });

  test.each([undefined, null, 'no', 1])('refuses %j', async enabled => {
    expect(await update(as(ada), enabled)).toEqual(invalid);
  });

  test.each([{ user_id: 'x' }, { category_id: 'Marketing' }])('refuses %j', async wrong => {
    expect(await update(as(ada), false, wrong)).toEqual(invalid);
  });

  test('ten concurrent changes leave one stored choice', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => update(as(ada), index % 2 === 0)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('a user who is deleted concurrently is not found', async () => {
    expect(await whileDeleting(server, ada.id, () => update(asServer, false))).toMatchObject(noSuchUser);
  });
});

const address = '/api/v1/emails/unsubscribe-link';
const accessHeaders = {
  'x-stack-access-type': 'client',
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': 'pck_test_internal',
};
const linkCode = (userId = ada.id) => scene.code('unsubscribe', { userId, data: { categoryId: marketing } });
const seen = ({ status, headers, text }: Answered) => ({
  status,
  type: headers.get('content-type'),
  code: headers.get('x-stack-known-error'),
  title: /<title>(.*)<\/title>/.exec(text)?.[1],
});
const page = (title: string, status = 200) => ({ status, type: 'text/html; charset=utf-8', code: null, title });
const asking = page('Unsubscribe from Marketing');
const done = page('Unsubscribed');
const doneBefore = page('Already unsubscribed');
const subscribed = page('Subscribed');

describe('GET /emails/unsubscribe-link with an access type', () => {
  const visit = (query: string) => ask(server.app, address + query, { headers: accessHeaders }).then(seen);
  const refusal = (status: number, code: string) => ({
    status,
    type: 'application/json; charset=utf-8',
    code,
    title: undefined,
  });
  const sentence = { status: 400, type: 'text/plain; charset=utf-8', code: null, title: undefined };

  test('disables the category and says so', async () => {
    expect(await visit(`?code=${await linkCode()}`)).toEqual(done);
    expect([await list(as(ada)), await list(as(eve), eve.id)]).toEqual([listed(false), listed(true)]);
  });

  test('a repeated request says that it is done and changes nothing', async () => {
    const code = await linkCode();
    await visit(`?code=${code}`);
    await update(as(ada), true);
    for (let count = 0; count < 30; count++) expect(await visit(`?code=${code}`)).toEqual(doneBefore);
    expect(await list(as(ada))).toEqual(listed(true));
  });

  test('of concurrent requests one disables the category', async () => {
    const code = await linkCode();
    const pages = await Promise.all(Array.from({ length: 10 }, () => visit(`?code=${code}`)));
    expect(pages.filter(({ title }) => title === done.title)).toEqual([done]);
    expect(pages.filter(({ title }) => title !== done.title)).toEqual(Array(9).fill(doneBefore));
  });

  test('a code in capitals and additional parameters are accepted', async () => {
    expect(await visit(`?utm_source=mail&code=${(await linkCode()).toUpperCase()}`)).toEqual(done);
  });

  test('control 18: a HEAD request changes nothing', async () => {
    const code = await linkCode();
    await ask(server.app, `${address}?code=${code}`, { method: 'HEAD', headers: accessHeaders });
    expect(await list(as(ada))).toEqual(listed(true));
    expect(await visit(`?code=${code}`)).toEqual(done);
  });

  test.each(['', '?', '?code=', '?code=short', `?code=${noCode}0`, `?code=${noCode.slice(1)}`])(
    'the link %j is refused as incomplete',
    async query => {
      expect(await visit(query)).toEqual(sentence);
    },
  );

  test('an unknown code and a code of another kind are refused', async () => {
    const others = [
      noCode,
      await scene.code('sign_in', { address: 'ada@example.com', data: {} }),
      await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } }),
    ];
    for (const code of others)
      expect(await visit(`?code=${code}`)).toEqual(refusal(404, 'VERIFICATION_CODE_NOT_FOUND'));
    expect(await list(as(ada))).toEqual(listed(true));
  });

  test('control 17: the code expires after seven days', async () => {
    const [code, late] = [await linkCode(), await linkCode()];
    server.clock.advance(7 * 24 * 3_600_000 - 1);
    expect(await visit(`?code=${code}`)).toEqual(done);
    server.clock.advance(1);
    expect(await visit(`?code=${late}`)).toEqual(refusal(400, 'VERIFICATION_CODE_EXPIRED'));
  });

  test('the code of a deleted user is refused', async () => {
    const code = await linkCode();
    await scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: ada.id } });
    expect(await visit(`?code=${code}`)).toEqual(refusal(404, 'VERIFICATION_CODE_NOT_FOUND'));
  });

  test('the code of a deleted project is refused, also before its rows are purged', async () => {
    const code = await linkCode();
    await scene.call('DELETE /internal/projects/current', { level: 'admin' });
    expect(await visit(`?code=${code}`)).toEqual(refusal(404, 'VERIFICATION_CODE_NOT_FOUND'));
  });

  test('the code of a user who is deleted concurrently is refused', async () => {
    const code = await linkCode();
    const { status } = await whileDeleting(server, ada.id, () => visit(`?code=${code}`));
    expect(status).toBeLessThan(500);
  });
});

describe('an unsubscribe link that a browser or a mail scanner opens', () => {
  const open = (query: string) => ask(server.app, address + query);
  const post = (query: string, type = 'application/x-www-form-urlencoded', body = '') =>
    ask(server.app, address + query, { method: 'POST', headers: { 'content-type': type }, body });

  test('control 18: GET and HEAD show a page and change nothing', async () => {
    const query = `?code=${await linkCode()}`;
    for (let count = 0; count < 30; count++) expect(seen(await open(query))).toEqual(asking);
    await ask(server.app, address + query, { method: 'HEAD' });
    expect(await list(as(ada))).toEqual(listed(true));
    expect(seen(await post(query))).toEqual(done);
  });

  test('the page names the project and the category, as text, and its form posts to its own address', async () => {
    const display_name = '<b>Acme</b> & "co"';
    await scene.call('PATCH /internal/projects/current', { level: 'admin', body: { display_name } });
    const { text } = await open(`?code=${await linkCode()}`);
    expect(text).toContain('no longer receive Marketing emails from &lt;b&gt;Acme&lt;/b&gt; &amp; &quot;co&quot;.');
    expect(text).toContain('<form method="post"><button>Unsubscribe</button></form>');
  });

  test('the page runs no script, cannot be framed, and sends no referrer', async () => {
    const { headers, text } = await open(`?code=${await linkCode()}`);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect([headers.get('referrer-policy'), headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([
      'no-referrer',
      'DENY',
      'no-store, max-age=0',
    ]);
  });

  test('the POST of the page unsubscribes, and later requests say that it is done', async () => {
    const query = `?code=${await linkCode()}`;
    expect(seen(await post(query))).toEqual(done);
    expect([await list(as(ada)), await list(as(eve), eve.id)]).toEqual([listed(false), listed(true)]);
    expect([seen(await post(query)), seen(await open(query))]).toEqual([doneBefore, doneBefore]);
  });

  test('of concurrent POSTs of an unused link each says that the user has unsubscribed', async () => {
    const query = `?code=${await linkCode()}`;
    const pages = await Promise.all(Array.from({ length: 10 }, () => post(query).then(seen)));
    expect(pages.filter(({ title }) => title === subscribed.title)).toEqual([]);
    expect(await list(as(ada))).toEqual(listed(false));
  });

  test('the undo button of the page subscribes again, and its button unsubscribes again', async () => {
    const query = `?code=${await linkCode()}`;
    const { text } = await post(query);
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(text) ?? [];
    expect(action).toBe(`${query}&amp;action=resubscribe`);
    expect(seen(await post(`${query}&action=resubscribe`))).toEqual(subscribed);
    expect(await list(as(ada))).toEqual(listed(true));
    expect(seen(await open(query))).toEqual(subscribed);
    expect(seen(await post(`${query}&action=unsubscribe`))).toEqual(done);
    expect([await list(as(ada)), await list(as(eve), eve.id)]).toEqual([listed(false), listed(true)]);
  });

  test('an unused link cannot subscribe', async () => {
    const query = `?code=${await linkCode()}`;
    await update(as(ada), false);
    expect(seen(await post(`${query}&action=resubscribe`))).toEqual(asking);
    expect(await list(as(ada))).toEqual(listed(false));
  });

  test('a used link has no undo after it has expired', async () => {
    const query = `?code=${await linkCode()}`;
    await post(query);
    server.clock.advance(7 * 24 * 3_600_000);
    const later = await open(query);
    expect(seen(later)).toEqual(doneBefore);
    expect(later.text).not.toContain('<form');
    expect(seen(await post(`${query}&action=resubscribe`))).toEqual(page('This link does not work', 400));
    expect(await list(asServer, ada.id)).toEqual(listed(false));
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('a one-click POST of RFC 8058 as %s unsubscribes', async (type, body) => {
    expect(seen(await post(`?code=${await linkCode()}`, type, body))).toEqual(done);
    expect(await list(as(ada))).toEqual(listed(false));
  });

  test('a one-click POST of a used link unsubscribes a user who has subscribed again, and GET does not', async () => {
    const query = `?code=${await linkCode()}`;
    const oneClick = () => post(query, 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click').then(seen);
    await oneClick();
    await post(`${query}&action=resubscribe`);
    expect(seen(await open(query))).toEqual(subscribed);
    expect(await list(as(ada))).toEqual(listed(true));
    expect(await oneClick()).toEqual(done);
    expect([await list(as(ada)), await list(as(eve), eve.id)]).toEqual([listed(false), listed(true)]);
    await update(as(ada), true);
    expect(await oneClick()).toEqual(done);
    expect(await list(as(ada))).toEqual(listed(false));
  });

  test('a one-click POST of a used link that has expired changes nothing', async () => {
    const query = `?code=${await linkCode()}`;
    await post(query);
    await post(`${query}&action=resubscribe`);
    server.clock.advance(7 * 24 * 3_600_000);
    expect(seen(await post(query))).toEqual(page('This link does not work', 400));
    expect(await list(asServer, ada.id)).toEqual(listed(true));
  });

  test.each(['GET', 'POST'] as const)('a link that does not work has a page for %s', async method => {
    const late = await linkCode();
    server.clock.advance(7 * 24 * 3_600_000);
    const gone = await linkCode(eve.id);
    await scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: eve.id } });
    const visit = async (query: string) => seen(await ask(server.app, address + query, { method }));
    const bad = (status: number) => page('This link does not work', status);
    expect([await visit(''), await visit('?code=short')]).toEqual([bad(400), bad(400)]);
    expect([await visit(`?code=${noCode}`), await visit(`?code=${gone}`)]).toEqual([bad(404), bad(404)]);
    expect(await visit(`?code=${late}`)).toEqual(bad(400));
  });
});
