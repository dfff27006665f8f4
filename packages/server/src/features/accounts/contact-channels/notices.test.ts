import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../../sign-in/scene.fixtures.ts';
import { channelNotices } from './rules.ts';
import type { ContactChannel } from './store.ts';

const channel = (more: Partial<ContactChannel> = {}): ContactChannel => ({
  id: 'a channel',
  userId: 'a user',
  value: 'new@example.com',
  isPrimary: false,
  isVerified: false,
  usedForAuth: true,
  ...more,
});
const silent = { usedForAuth: false };
const added = (value = 'new@example.com') => ['sign_in_address_added', ['old@example.com', value], value];
const removed = (value = 'new@example.com') => ['sign_in_address_removed', ['old@example.com', value], value];

describe('control 68: what there is to tell of a channel', () => {
  test.each<[string, ContactChannel | null, ContactChannel | null, unknown[]]>([
    ['a new one', null, channel(), [added()]],
    ['a new one that does not sign in', null, channel(silent), []],
    ['one that is gone', channel(), null, [removed()]],
    ['one that is gone and did not sign in', channel(silent), null, []],
    ['one that now signs in', channel(silent), channel(), [added()]],
    ['one that does not any more', channel(), channel(silent), [removed()]],
    ['one that is verified now', channel(), channel({ isVerified: true }), []],
    ['another address', channel({ value: 'first@example.com' }), channel(), [removed('first@example.com'), added()]],
    [
      'another primary one',
      channel(),
      channel({ isPrimary: true }),
      [['primary_email_changed', ['old@example.com', 'new@example.com'], 'new@example.com']],
    ],
    [
      'a new primary one',
      null,
      channel({ isPrimary: true }),
      [added(), ['primary_email_changed', ['old@example.com', 'new@example.com'], 'new@example.com']],
    ],
    [
      'the same primary one',
      channel({ value: 'old@example.com' }),
      channel({ value: 'old@example.com', isPrimary: true }),
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    const notices = channelNotices(before, after, 'old@example.com');
    expect(notices.map(({ notice, to, about }) => [notice, to, ...Object.values(about)])).toEqual(expected);
  });

  test('the first primary address of a user is no change', () => {
    const notices = channelNotices(null, channel({ isPrimary: true, usedForAuth: false }), null);
    expect(notices).toEqual([]);
  });
});

describe('the calls', () => {
  let server: TestServer;
  let scene: Scene;
  let ada: Person;
  let email: string;
  beforeAll(async () => {
    server = await openTestServer({ passwords: plainPasswords() });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    scene = await openScene(server);
    email = scene.address();
    ada = await scene.person({ primary_email: email, primary_email_auth_enabled: true });
  });

  const told = async () => (await scene.posted()).map(({ template, recipient }) => [template, recipient]).sort();
  const create = async (value: string, more: object = {}) => {
    const body = { user_id: 'me', value, type: 'email', used_for_auth: true, ...more };
    const answer = await server.call('POST /contact-channels', {
      project: scene.project,
      accessToken: ada.accessToken,
      body,
    });
    return { user_id: 'me', contact_channel_id: z.object({ id: z.string() }).parse(answer.json).id };
  };

  test('tell the old address and the new of what is added, changed and removed', async () => {
    const value = scene.address();
    const options = { accessToken: ada.accessToken, params: await create(value) };
    const both = (template: string) =>
      [
        [template, email],
        [template, value],
      ].sort();
    expect(await told()).toEqual(both('sign_in_address_added'));

    const route = 'PATCH /contact-channels/{user_id}/{contact_channel_id}';
    await scene.call(route, { ...options, body: { is_primary: true } });
    expect(await told()).toEqual(both('primary_email_changed'));

    await scene.call('DELETE /contact-channels/{user_id}/{contact_channel_id}', options);
    expect(await told()).toEqual([['sign_in_address_removed', value]]);
  });

  test('tell nothing of a channel that is no way in, and nothing of what is refused', async () => {
    await create(scene.address(), { used_for_auth: false });
    const body = { user_id: 'me', value: email, type: 'email', used_for_auth: true };
    await scene.call('POST /contact-channels', { accessToken: ada.accessToken, body });
    expect(await told()).toEqual([]);
  });
});
