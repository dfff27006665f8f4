import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import { invalid, plainPasswords, refused, success } from '../../sign-in/scene.fixtures.ts';
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
