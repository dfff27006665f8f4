import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, noUser, openScene, plainPasswords, refused } from '../../sign-in/scene.fixtures.ts';
import {
  as,
  asServer,
  bodyOf,
  type Channel,
  type ChannelScene,
  levels,
  listed,
  openChannelScene,
  taken,
} from './channel-scene.fixtures.ts';

let server: TestServer;
let scene: ChannelScene['scene'];
let ada: ChannelScene['ada'];
let eve: ChannelScene['eve'];
let create: ChannelScene['create'];
let list: ChannelScene['list'];
let read: ChannelScene['read'];
let update: ChannelScene['update'];
let remove: ChannelScene['remove'];
let channel: ChannelScene['channel'];
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ scene, ada, eve, create, list, read, update, remove, channel } = await openChannelScene(server));
});

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
