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

describe('control 68: notices about a channel', () => {
  test.each<[string, ContactChannel | null, ContactChannel | null, unknown[]]>([
    ['a new sign-in channel', null, channel(), [added()]],
    ['a new plain channel', null, channel(silent), []],
    ['a deleted sign-in channel', channel(), null, [removed()]],
    ['a deleted plain channel', channel(silent), null, []],
    ['sign-in switched on', channel(silent), channel(), [added()]],
    ['sign-in switched off', channel(), channel(silent), [removed()]],
    ['a verified channel', channel(), channel({ isVerified: true }), []],
    ['a changed address', channel({ value: 'first@example.com' }), channel(), [removed('first@example.com'), added()]],
    [
      'a corrected unverified primary address',
      channel({ value: 'old@example.com', isPrimary: true }),
      channel({ isPrimary: true }),
      [['sign_in_address_removed', ['old@example.com'], 'old@example.com']],
    ],
    [
      'a changed verified primary address',
      channel({ value: 'old@example.com', isPrimary: true, isVerified: true }),
      channel({ isPrimary: true }),
      [
        ['sign_in_address_removed', ['old@example.com', 'old@example.com'], 'old@example.com'],
        added(),
        ['primary_email_changed', ['old@example.com', 'new@example.com'], 'new@example.com'],
      ],
    ],
    [
      'an existing channel that becomes primary',
      channel(),
      channel({ isPrimary: true }),
      [['primary_email_changed', ['old@example.com', 'new@example.com'], 'new@example.com']],
    ],
    [
      'a new primary channel',
      null,
      channel({ isPrimary: true }),
      [added(), ['primary_email_changed', ['old@example.com', 'new@example.com'], 'new@example.com']],
    ],
    [
      'a sign-in address that is primary no longer',
      channel({ value: 'old@example.com', isPrimary: true, isVerified: true }),
      channel({ value: 'old@example.com', isVerified: true }),
      [['primary_email_removed', ['old@example.com'], 'old@example.com']],
    ],
    [
      'a deleted plain primary channel',
      channel({ ...silent, value: 'old@example.com', isPrimary: true }),
      null,
      [['primary_email_removed', ['old@example.com'], 'old@example.com']],
    ],
    [
      'a deleted primary sign-in channel',
      channel({ value: 'old@example.com', isPrimary: true }),
      null,
      [removed('old@example.com')],
    ],
    [
      'the primary address again',
      channel({ value: 'old@example.com' }),
      channel({ value: 'old@example.com', isPrimary: true }),
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    const notices = channelNotices(before, after, 'old@example.com');
    expect(notices.map(({ notice, to, about }) => [notice, to, ...Object.values(about)])).toEqual(expected);
  });

  test('the first primary address of a user sends no notice', () => {
    const notices = channelNotices(null, channel({ isPrimary: true, usedForAuth: false }), null);
    expect(notices).toEqual([]);
  });
});

describe('the contact channel endpoints', () => {
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

  const sentNotices = async () =>
    (await scene.takeEmails()).map(({ template, recipient }) => [template, recipient]).sort();
  const create = async (value: string, more: object = {}) => {
    const body = { user_id: 'me', value, type: 'email', used_for_auth: true, ...more };
    const answer = await server.call('POST /contact-channels', {
      project: scene.project,
      accessToken: ada.accessToken,
      body,
    });
    return { user_id: 'me', contact_channel_id: z.object({ id: z.string() }).parse(answer.json).id };
  };

  test('notify the old and the new address when a sign-in channel is added, changed or deleted', async () => {
    const value = scene.address();
    const options = { accessToken: ada.accessToken, params: await create(value) };
    const both = (template: string) =>
      [
        [template, email],
        [template, value],
      ].sort();
    expect(await sentNotices()).toEqual(both('sign_in_address_added'));

    const route = 'PATCH /contact-channels/{user_id}/{contact_channel_id}';
    await scene.call(route, { ...options, body: { is_primary: true } });
    expect(await sentNotices()).toEqual(both('primary_email_changed'));

    await scene.call('DELETE /contact-channels/{user_id}/{contact_channel_id}', options);
    expect(await sentNotices()).toEqual([['sign_in_address_removed', value]]);
  });

  test('a verified address that was primary is told, and gets the notices that follow', async () => {
    email = scene.address();
    ada = await scene.person({
      primary_email: email,
      primary_email_auth_enabled: true,
      primary_email_verified: true,
    });
    const listed = await scene.call('GET /contact-channels', {
      accessToken: ada.accessToken,
      query: { user_id: 'me' },
    });
    const channels = z.object({ items: z.array(z.object({ id: z.string() })) });
    const { items } = channels.parse('body' in listed ? listed.body : undefined);
    const params = { user_id: 'me', contact_channel_id: items[0]?.id ?? '' };
    const route = 'PATCH /contact-channels/{user_id}/{contact_channel_id}';
    await scene.call(route, { accessToken: ada.accessToken, params, body: { is_primary: false } });
    expect(await sentNotices()).toEqual([['primary_email_removed', email]]);

    const added = scene.address();
    await create(added);
    expect(await sentNotices()).toEqual(
      [
        ['sign_in_address_added', email],
        ['sign_in_address_added', added],
      ].sort(),
    );
  });

  test('send no notice about a plain channel or a refused request', async () => {
    await create(scene.address(), { used_for_auth: false });
    const body = { user_id: 'me', value: email, type: 'email', used_for_auth: true };
    await scene.call('POST /contact-channels', { accessToken: ada.accessToken, body });
    expect(await sentNotices()).toEqual([]);
  });
});
