import { randomUUID } from 'node:crypto';
import { contactChannelsMax } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { anId, type Outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import {
  invalid,
  noUser,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
  success,
  whileDeleting,
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

interface Channel {
  readonly id: string;
  readonly user_id: string;
  readonly value: string;
  readonly type: string;
  readonly used_for_auth: boolean;
  readonly is_verified: boolean;
  readonly is_primary: boolean;
}

const levels = ['client', 'server', 'admin'] as const;
const route = '/contact-channels/{user_id}/{contact_channel_id}' as const;
const as = ({ accessToken }: Person): CallOptions => ({ accessToken });
const asServer = { level: 'server' } as const;
const taken = (contact_channel_value: string | null) => ({
  status: 409,
  code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  details: { type: 'email', contact_channel_value },
});
const listed = (items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

const create = (options: CallOptions, body: object = {}) =>
  scene.call('POST /contact-channels', {
    ...options,
    body: { user_id: ada.id, value: scene.address(), type: 'email', used_for_auth: false, ...body },
  });
const list = (options: CallOptions, query: CallOptions['query'] = {}) =>
  scene.call('GET /contact-channels', { ...options, query });
const paramsOf = (channel: Pick<Channel, 'id'>, user_id = ada.id) => ({ user_id, contact_channel_id: channel.id });
const read = (channel: Pick<Channel, 'id'>, options: CallOptions, userId?: string) =>
  scene.call(`GET ${route}`, { ...options, params: paramsOf(channel, userId) });
const update = (channel: Pick<Channel, 'id'>, options: CallOptions, body: object, userId?: string) =>
  scene.call(`PATCH ${route}`, { ...options, params: paramsOf(channel, userId), body });
const remove = (channel: Pick<Channel, 'id'>, options: CallOptions, userId?: string) =>
  scene.call(`DELETE ${route}`, { ...options, params: paramsOf(channel, userId) });
const bodyOf = <T>(outcome: Outcome) => (outcome as unknown as { body: T }).body;

async function channel(body: object = {}): Promise<Channel> {
  const made = bodyOf<Channel>(await create(asServer, body));
  server.clock.advance(1);
  return made;
}

describe('POST /contact-channels', () => {
  test.each(levels)('creates a channel at level %s', async level => {
    const value = scene.address();
    const answer = await create({ ...as(ada), level }, { user_id: 'me', value });
    const made = {
      user_id: ada.id,
      id: anId,
      value,
      type: 'email',
      used_for_auth: false,
      is_verified: false,
      is_primary: false,
    };
    expect(answer).toEqual({ status: 201, body: made });
    expect(await read(bodyOf<Channel>(answer), as(ada))).toEqual({ status: 200, body: bodyOf(answer) });
  });

  test('control 73: stores the address in lower case', async () => {
    const value = scene.address();
    expect(await create(asServer, { value: value.toUpperCase() })).toMatchObject({ body: { value } });
  });

  test.each(['server', 'admin'] as const)('level %s can create a verified channel', async level => {
    const answer = await create({ level }, { is_verified: true, used_for_auth: true, is_primary: true });
    expect(answer).toMatchObject({ body: { is_verified: true, used_for_auth: true, is_primary: true } });
  });

  test.each([true, false])(
    'control 90: is_verified %s from a client is refused with SCHEMA_ERROR',
    async is_verified => {
      const answer = await create(as(ada), { is_verified });
      expect(answer).toEqual({ ...invalid, details: { message: expect.stringContaining('is_verified') } });
    },
  );

  test('a new primary channel replaces the primary channel of the user', async () => {
    const [first, second] = [await channel({ is_primary: true }), await channel({ is_primary: true })];
    expect(await read(first, asServer)).toMatchObject({ body: { is_primary: false } });
    expect(await read(second, asServer)).toMatchObject({ body: { is_primary: true } });
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: second.value });
  });

  test('a second channel of one user with the same address in another letter case is refused', async () => {
    const { value } = await channel({ is_primary: true });
    for (const again of [value, value.toUpperCase()]) {
      for (const used_for_auth of [true, false]) {
        expect(await create(as(ada), { value: again, used_for_auth, is_primary: true })).toEqual(refused(400));
      }
    }
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: value });
  });

  test('an address signs in to one user, and other users can have it as a plain channel', async () => {
    const { value } = await channel({ used_for_auth: true });
    const hers = { user_id: eve.id, value: value.toUpperCase() };
    expect(await create(as(eve), { ...hers, used_for_auth: true, is_primary: true })).toEqual(taken(value));
    expect(await create(as(eve), hers)).toMatchObject({ status: 201 });
    expect(await scene.userById(eve.id)).toMatchObject({ primary_email: null });
  });

  test('several channels of a user can sign in, verified or not', async () => {
    await channel({ used_for_auth: true });
    expect(await create(as(ada), { used_for_auth: true })).toMatchObject({ status: 201 });
  });

  test('an address that signs in to a user of another project is free in this project', async () => {
    const { value } = await channel({ used_for_auth: true });
    const elsewhere = await openScene(server);
    const { id: user_id } = await elsewhere.person();
    const body = { user_id, value, type: 'email', used_for_auth: true };
    expect(await elsewhere.call('POST /contact-channels', { ...asServer, body })).toMatchObject({ status: 201 });
  });

  test('control 92: a client creates channels of its own user only, a server of any existing user', async () => {
    expect(await create(as(eve))).toEqual(refused(403));
    expect(await create({})).toEqual(noUser);
    expect(await create({}, { user_id: 'me' })).toEqual(noUser);
    expect(await create(asServer, { user_id: 'me' })).toEqual(noUser);
    expect(await create(as(eve), { user_id: randomUUID() })).toEqual(refused(403));
    const elsewhere = await (await openScene(server)).person();
    for (const user_id of [randomUUID(), elsewhere.id]) {
      expect(await create(asServer, { user_id })).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    }
  });

  test('a user id in capitals names the same user', async () => {
    const answer = await create(as(ada), { user_id: ada.id.toUpperCase() });
    expect(answer).toMatchObject({ status: 201, body: { user_id: ada.id } });
  });

  test.each([
    { user_id: undefined },
    { user_id: 'x' },
    { value: undefined },
    { value: '' },
    { value: 'nonsense' },
    { value: ' ada@example.com' },
    { value: 'ada@example.com ' },
    { value: 'ada@example.com\nbcc: eve@example.com' },
    { value: null },
    { type: undefined },
    { type: 'phone' },
    { used_for_auth: undefined },
    { used_for_auth: 'maybe' },
    { is_primary: null },
    { id: randomUUID() },
    { more: 1 },
  ])('the body fields %j are refused with SCHEMA_ERROR', async body => {
    expect(await create(asServer, body)).toEqual(invalid);
  });

  test('an address with a host of one label is accepted', async () => {
    expect(await create(asServer, { value: `a@b${randomUUID().slice(0, 8)}` })).toMatchObject({ status: 201 });
  });

  test('a request for a user who is deleted concurrently answers USER_NOT_FOUND', async () => {
    expect(await whileDeleting(server, ada.id, () => create(asServer))).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
  });
});

describe('GET /contact-channels', () => {
  test('lists the oldest channel first', async () => {
    const channels = [await channel({ is_primary: true }), await channel(), await channel({ is_verified: true })];
    for (const level of levels) {
      expect(await list({ ...as(ada), level }, { user_id: 'me' })).toMatchObject({
        body: { items: channels.map(({ id }) => ({ id })), is_paginated: false },
      });
    }
    const [, second] = channels;
    expect(await list(as(ada), { user_id: ada.id, contact_channel_id: second?.id ?? '' })).toEqual(listed([second]));
  });

  test('a server lists the channels of the project or of one user', async () => {
    const [hers, theirs] = [await channel(), await channel({ user_id: eve.id })];
    expect(await list(asServer)).toEqual(listed([hers, theirs]));
    expect(await list(asServer, { user_id: eve.id })).toEqual(listed([theirs]));
    expect(await list(asServer, { user_id: eve.id.toUpperCase() })).toEqual(listed([theirs]));
    expect(await list(asServer, { contact_channel_id: hers.id })).toEqual(listed([hers]));
    expect(await list(asServer, { user_id: eve.id, contact_channel_id: hers.id })).toEqual(listed([]));
    expect(await list(asServer, { user_id: randomUUID() })).toEqual(listed([]));
    expect(await list({ ...asServer, ...as(eve) }, { user_id: 'me' })).toEqual(listed([theirs]));
    expect(await list(asServer, { user_id: 'me' })).toEqual(noUser);
  });

  test('control 92: a client lists the channels of its own user only', async () => {
    const { id } = await channel();
    expect(await list(as(eve), { user_id: ada.id })).toEqual(refused(403));
    expect(await list(as(eve))).toEqual(refused(403));
    expect(await list(as(eve), { contact_channel_id: id })).toEqual(refused(403));
    expect(await list(as(eve), { user_id: 'me', contact_channel_id: id })).toEqual(listed([]));
    expect(await list({})).toEqual(noUser);
    expect(await list({}, { user_id: 'me' })).toEqual(noUser);
    expect(await list({}, { user_id: ada.id })).toEqual(noUser);
  });

  test('control 92: channels of another project are not listed', async () => {
    const { id } = await channel();
    const elsewhere = await openScene(server);
    for (const query of [{}, { user_id: ada.id }, { contact_channel_id: id }]) {
      expect(await elsewhere.call('GET /contact-channels', { level: 'admin', query })).toEqual(listed([]));
    }
  });

  test.each([{ user_id: 'x' }, { contact_channel_id: 'me' }, { contact_channel_id: '' }, { more: '1' }])(
    'the query %j is refused with SCHEMA_ERROR',
    async query => {
      expect(await list(asServer, query)).toEqual(invalid);
    },
  );
});

describe('GET /contact-channels/{user_id}/{contact_channel_id}', () => {
  test.each(levels)('returns the channel at level %s', async level => {
    const one = await channel();
    expect(await read(one, { ...as(ada), level })).toEqual({ status: 200, body: one });
    expect(await read(one, { ...as(ada), level }, 'me')).toEqual({ status: 200, body: one });
    expect(await read({ id: one.id.toUpperCase() }, { ...as(ada), level }, ada.id.toUpperCase())).toEqual({
      status: 200,
      body: one,
    });
  });
});

describe('PATCH /contact-channels/{user_id}/{contact_channel_id}', () => {
  test.each(levels)('level %s: changes the fields of the request and no others', async level => {
    const one = await channel();
    const other = scene.address();
    const options = { ...as(ada), level };
    expect(await update(one, options, {})).toEqual({ status: 200, body: one });
    expect(await update(one, options, { type: 'email' })).toEqual({ status: 200, body: one });
    expect(await update(one, options, { used_for_auth: true })).toEqual({
      status: 200,
      body: { ...one, used_for_auth: true },
    });
    expect(await update(one, options, { is_primary: true, used_for_auth: false, value: other })).toEqual({
      status: 200,
      body: { ...one, is_primary: true, value: other },
    });
    expect(await read(one, options)).toEqual({ status: 200, body: { ...one, is_primary: true, value: other } });
  });

  test.each(['server', 'admin'] as const)('level %s can change is_verified', async level => {
    const one = await channel();
    expect(await update(one, { level }, { is_verified: true })).toMatchObject({ body: { is_verified: true } });
    expect(await update(one, { level }, { is_verified: false })).toMatchObject({ body: { is_verified: false } });
    const verifiedAgain = { value: scene.address(), is_verified: true };
    expect(await update(one, { level }, verifiedAgain)).toMatchObject({ body: verifiedAgain });
  });

  test.each([true, false])(
    'control 90: is_verified %s from a client is refused with SCHEMA_ERROR',
    async is_verified => {
      expect(await update(await channel(), as(ada), { is_verified })).toEqual(invalid);
    },
  );

  test('a request with an address, even the same one, makes the channel unverified', async () => {
    const one = await channel({ is_verified: true });
    expect(await update(one, as(ada), { used_for_auth: true, is_primary: true })).toMatchObject({
      body: { is_verified: true },
    });
    expect(await update(one, as(ada), { value: one.value })).toMatchObject({ body: { is_verified: false } });
    await update(one, asServer, { is_verified: true });
    expect(await update(one, as(ada), { value: scene.address() })).toMatchObject({ body: { is_verified: false } });
  });

  test.each([{}, { type: 'email' }])(
    'control 73: validates the address and stores it in lower case, with %j in the same request',
    async more => {
      const one = await channel();
      const value = scene.address();
      expect(await update(one, as(ada), { ...more, value: value.toUpperCase() })).toMatchObject({ body: { value } });
      for (const wrong of ['', 'nonsense', ` ${value}`, `${value}\r\n`]) {
        expect(await update(one, as(ada), { ...more, value: wrong })).toEqual(invalid);
      }
    },
  );

  test('an address of another channel of the same user is refused', async () => {
    const [one, other] = [await channel(), await channel()];
    expect(await update(one, as(ada), { value: other.value.toUpperCase() })).toEqual(refused(400));
    expect(await read(one, as(ada))).toEqual({ status: 200, body: one });
  });

  test('an address that signs in to another user is refused, by a change of the address and of the flag', async () => {
    const theirs = await channel({ user_id: eve.id, used_for_auth: true });
    const same = await channel({ value: theirs.value });
    const signing = await channel({ used_for_auth: true });
    expect(await update(same, as(ada), { used_for_auth: true, is_primary: true })).toEqual(taken(null));
    expect(await update(signing, as(ada), { value: scene.address(), used_for_auth: true })).toMatchObject({
      status: 200,
    });
    await remove(same, as(ada));
    expect(await update(signing, as(ada), { value: theirs.value })).toEqual(taken(null));
    expect(await update(signing, as(ada), { value: theirs.value, used_for_auth: false })).toMatchObject({
      status: 200,
    });
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: null });
  });

  test('another channel can become primary, and the primary channel can lose the flag', async () => {
    const [first, second] = [await channel({ is_primary: true }), await channel()];
    expect(await update(second, as(ada), { is_primary: true })).toMatchObject({ body: { is_primary: true } });
    expect(await read(first, as(ada))).toMatchObject({ body: { is_primary: false } });
    expect(await update(second, as(ada), { is_primary: true })).toMatchObject({ body: { is_primary: true } });
    expect(await update(second, as(ada), { is_primary: false })).toMatchObject({ body: { is_primary: false } });
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: null, primary_email_verified: false });
  });

  test.each([{ id: randomUUID() }, { user_id: randomUUID() }, { more: 1 }, { type: 'phone' }, { is_primary: null }])(
    'control 90: the body %j is refused with SCHEMA_ERROR',
    async body => {
      expect(await update(await channel(), asServer, body)).toEqual(invalid);
    },
  );
});

describe('DELETE /contact-channels/{user_id}/{contact_channel_id}', () => {
  test.each(levels)('level %s: deletes any channel, including the primary and the last one', async level => {
    const [primary, other] = [await channel({ is_primary: true, used_for_auth: true }), await channel()];
    expect(await remove(primary, { ...as(ada), level })).toEqual(success);
    expect(await read(other, as(ada))).toMatchObject({ body: { is_primary: false } });
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: null, primary_email_auth_enabled: false });
    expect(await remove(other, { ...as(ada), level }, 'me')).toEqual(success);
    expect(await list(as(ada), { user_id: 'me' })).toEqual(listed([]));
    expect(await create(as(eve), { user_id: 'me', value: primary.value, used_for_auth: true })).toMatchObject({
      status: 201,
    });
  });

  test('a user without channels keeps the other sign-in methods', async () => {
    const email = scene.address();
    const bob = await scene.person({
      primary_email: email,
      primary_email_auth_enabled: true,
      password: 'correct horse',
    });
    const [one] = bodyOf<{ items: Channel[] }>(await list(as(bob), { user_id: 'me' })).items;
    expect(await remove(one ?? { id: '' }, as(bob), 'me')).toEqual(success);
    expect(await scene.userById(bob.id)).toMatchObject({ has_password: true, auth_with_email: true });
  });

  test('of many concurrent requests for one channel, one succeeds', async () => {
    const one = await channel();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(one, as(ada))));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(refused(400)));
  });
});

describe('control 92: channels of another user and unknown channels', () => {
  const methods = {
    read: (one: Pick<Channel, 'id'>, options: CallOptions, userId?: string) => read(one, options, userId),
    update: (one: Pick<Channel, 'id'>, options: CallOptions, userId?: string) =>
      update(one, options, { used_for_auth: true }, userId),
    remove: (one: Pick<Channel, 'id'>, options: CallOptions, userId?: string) => remove(one, options, userId),
  };
  const missing = { read: refused(404), update: refused(400), remove: refused(400) };

  test.each(['read', 'update', 'remove'] as const)('are refused by the endpoint: %s', async name => {
    const call = methods[name];
    const one = await channel();
    expect(await call(one, as(eve))).toEqual(refused(403));
    expect(await call(one, {})).toEqual(noUser);
    expect(await call(one, {}, 'me')).toEqual(noUser);
    expect(await call(one, asServer, 'me')).toEqual(noUser);
    expect(await call(one, as(eve), 'me')).toEqual(missing[name]);
    expect(await call(one, asServer, eve.id)).toEqual(missing[name]);
    expect(await call({ id: randomUUID() }, as(ada))).toEqual(missing[name]);
    expect(await call(one, asServer, randomUUID())).toEqual(missing[name]);
    expect(await call({ id: 'x' }, as(ada))).toEqual(invalid);
    expect(await call(one, as(ada), 'x')).toEqual(invalid);
    const elsewhere = await openScene(server);
    const away = { project: elsewhere.project, level: 'admin' } as const;
    expect(await call(one, away)).toEqual(missing[name]);
    expect(await read(one, as(ada))).toEqual({ status: 200, body: one });
  });
});

test('changes of channels send no webhook event', async () => {
  await addWebhookEndpoint(server.deps.db, scene.project.id);
  const one = await channel({ is_primary: true });
  await update(one, as(ada), { value: scene.address() });
  await remove(one, as(ada));
  const events = await server.deps.db.query(
    sql`select type from webhook_events where project_id = ${scene.project.id}`,
  );
  expect(events).toEqual([]);
});

test('the user search finds current addresses and no former ones', async () => {
  const found = async (query: string) =>
    bodyOf<{ items: { id: string }[] }>(await scene.call('GET /users', { ...asServer, query: { query } })).items.map(
      ({ id }) => id,
    );
  const one = await channel();
  expect(await found(one.value)).toEqual([ada.id]);
  const next = scene.address();
  await update(one, as(ada), { value: next });
  expect([await found(one.value), await found(next)]).toEqual([[], [ada.id]]);
  await remove(one, as(ada));
  expect(await found(next)).toEqual([]);
});

describe('concurrent writers', () => {
  const primaries = async () =>
    bodyOf<{ items: Channel[] }>(await list(as(ada), { user_id: 'me' })).items.filter(item => item.is_primary);

  test('of the channels of one user leave one primary channel', async () => {
    const channels = [await channel({ is_primary: true }), await channel(), await channel()];
    const answers = await Promise.all([
      ...channels.flatMap(one => Array.from({ length: 5 }, () => update(one, as(ada), { is_primary: true }))),
      ...Array.from({ length: contactChannelsMax - channels.length }, () => create(as(ada), { is_primary: true })),
      ...Array.from({ length: 5 }, () =>
        scene.call('PATCH /users/{user_id}', {
          ...asServer,
          params: { user_id: ada.id },
          body: { primary_email: scene.address() },
        }),
      ),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    expect(await primaries()).toHaveLength(1);
  });

  test('of one address for several users create one sign-in address', async () => {
    const value = scene.address();
    const people = await Promise.all(Array.from({ length: 10 }, () => scene.person()));
    const answers = await Promise.all(
      people.map(person => create(as(person), { user_id: 'me', value, used_for_auth: true })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(9).fill(taken(value)));
  });

  test('of one address for one user create one channel', async () => {
    const value = scene.address();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(as(ada), { value })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(9).fill(refused(400)));
  });

  test('of several addresses for one user leave every address in the search column', async () => {
    const values = Array.from({ length: 10 }, () => scene.address());
    await Promise.all(values.map(value => create(as(ada), { value })));
    const [row] = await server.deps.db.query<{ search: string }>(sql`select search from users where id = ${ada.id}`);
    for (const value of values) expect(row?.search).toContain(value);
  });
});
