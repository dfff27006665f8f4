import { noticesPerRecipient, noticesPerUnverifiedRecipient, noticeWindowMs, rateLimits } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../../sign-in/scene.fixtures.ts';
import { type AnyAccountNotice, accountNoticesOf, type Before } from './notices.ts';
import type { UserChange } from './user-update.ts';

const before: Before = {
  primaryEmail: 'old@example.com',
  primaryEmailAuthEnabled: true,
  hasPassword: true,
  hasPasskey: true,
  requiresTotpMfa: true,
  otpAuthEnabled: true,
};
const userWithoutMethods: Before = {
  primaryEmail: null,
  primaryEmailAuthEnabled: false,
  hasPassword: false,
  hasPasskey: false,
  requiresTotpMfa: false,
  otpAuthEnabled: false,
};
const to = ['old@example.com', 'old@example.com'];
const primary = (value: string, usedForAuth = true) => ({ value, usedForAuth, isVerified: false });
const changed = (changedAddress: string) => ({ changedAddress });

describe('control 68: the notices about a change', () => {
  test.each<[string, UserChange, Before, AnyAccountNotice[]]>([
    ['display name: no notice', { kind: 'displayName', value: 'Ada' }, before, []],
    [
      'changed password',
      { kind: 'passwordHash', value: 'hash' },
      before,
      [{ notice: 'password_changed', to, about: {} }],
    ],
    [
      'removed password',
      { kind: 'passwordHash', value: null },
      before,
      [{ notice: 'password_removed', to, about: {} }],
    ],
    [
      'removed password of a user without one: no notice',
      { kind: 'passwordHash', value: null },
      userWithoutMethods,
      [],
    ],
    [
      'email codes off',
      { kind: 'otpAuthEnabled', value: false },
      before,
      [{ notice: 'email_code_switched_off', to, about: {} }],
    ],
    ['email codes off again: no notice', { kind: 'otpAuthEnabled', value: false }, userWithoutMethods, []],
    ['email codes on: no notice', { kind: 'otpAuthEnabled', value: true }, userWithoutMethods, []],
    [
      'set second factor',
      { kind: 'totpSecret', value: Uint8Array.of(1) },
      before,
      [{ notice: 'totp_switched_on', to, about: {} }],
    ],
    [
      'removed second factor',
      { kind: 'totpSecret', value: null },
      before,
      [{ notice: 'totp_switched_off', to, about: {} }],
    ],
    [
      'removed second factor of a user without one: no notice',
      { kind: 'totpSecret', value: null },
      userWithoutMethods,
      [],
    ],
    ['removed passkeys', { kind: 'deletePasskeys' }, before, [{ notice: 'passkeys_removed', to, about: {} }]],
    ['removed passkeys of a user without any: no notice', { kind: 'deletePasskeys' }, userWithoutMethods, []],
    [
      'removed address',
      { kind: 'deletePrimaryEmail' },
      before,
      [{ notice: 'sign_in_address_removed', to, about: changed('old@example.com') }],
    ],
    [
      'removed plain address: no notice',
      { kind: 'deletePrimaryEmail' },
      { ...before, primaryEmailAuthEnabled: false },
      [],
    ],
    [
      'changed address',
      { kind: 'updatePrimaryEmail', ...primary('new@example.com') },
      before,
      [
        {
          notice: 'primary_email_changed',
          to: ['old@example.com', 'new@example.com'],
          about: changed('new@example.com'),
        },
      ],
    ],
    [
      'another channel as the primary one',
      { kind: 'switchPrimaryEmail', ...primary('new@example.com') },
      before,
      [
        {
          notice: 'primary_email_changed',
          to: ['old@example.com', 'new@example.com'],
          about: changed('new@example.com'),
        },
      ],
    ],
    ['the same address: no notice', { kind: 'updatePrimaryEmail', ...primary('old@example.com') }, before, []],
    [
      'the same address, sign-in off',
      { kind: 'updatePrimaryEmail', ...primary('old@example.com', false) },
      before,
      [{ notice: 'sign_in_address_removed', to, about: changed('old@example.com') }],
    ],
    [
      'the same address, sign-in on',
      { kind: 'updatePrimaryEmail', ...primary('old@example.com') },
      { ...before, primaryEmailAuthEnabled: false },
      [{ notice: 'sign_in_address_added', to, about: changed('old@example.com') }],
    ],
    [
      'a first address',
      { kind: 'createPrimaryEmail', ...primary('new@example.com') },
      userWithoutMethods,
      [{ notice: 'sign_in_address_added', to: [null, 'new@example.com'], about: changed('new@example.com') }],
    ],
    [
      'a first plain address: no notice',
      { kind: 'createPrimaryEmail', ...primary('new@example.com', false) },
      userWithoutMethods,
      [],
    ],
  ])('of the kind: %s', (_, change, who, notices) => {
    expect(accountNoticesOf([change], who, who.primaryEmail)).toEqual(notices);
  });

  test('of password and address in one update go to both addresses', () => {
    const changes: UserChange[] = [
      { kind: 'updatePrimaryEmail', ...primary('new@example.com') },
      { kind: 'passwordHash', value: 'hash' },
    ];
    const both = ['old@example.com', 'new@example.com'];
    expect(accountNoticesOf(changes, before, 'new@example.com').map(({ notice, to }) => [notice, to])).toEqual([
      ['primary_email_changed', both],
      ['password_changed', both],
    ]);
  });
});

describe('an update of a user', () => {
  let server: TestServer;
  let scene: Scene;
  let ada: Person;
  let email: string;
  beforeAll(async () => {
    server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_TRUST_PROXY: '1' } });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    scene = await openScene(server);
    email = scene.address();
    ada = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password: 'the old password' });
  });

  const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
  const asClient = (body: object) => scene.call('PATCH /users/me', { accessToken: ada.accessToken, body });
  const asServer = (body: object) =>
    scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: ada.id }, body });

  test('sends no notice when the user is created or no sign-in method changes', async () => {
    await asClient({ display_name: 'Ada' });
    await asServer({ server_metadata: 1, primary_email_verified: true });
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('sends a notice for each change of a sign-in method, at every level', async () => {
    await asClient({ totp_secret_base64: secret });
    await asServer({ totp_secret_base64: null, password: 'the next password' });
    const emails = await scene.takeEmails();
    expect(emails.map(({ template, recipient }) => [template, recipient]).sort()).toEqual([
      ['password_changed', email],
      ['totp_switched_off', email],
      ['totp_switched_on', email],
    ]);
  });

  test('sends notices that the email log of the user shows', async () => {
    await asServer({ password: 'the next password' });
    await server.mailbox(email);
    const query = { user_id: ada.id };
    expect(await scene.call('GET /internal/extensions/sent-emails', { level: 'admin', query })).toMatchObject({
      body: { items: [{ subject: 'Your password was changed at A project', to: [email] }] },
    });
  });

  test('sends its notice also when the user is deleted before the email leaves the queue', async () => {
    await asServer({ password: 'the next password' });
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: ada.id } });
    expect((await server.mailbox(email)).map(({ subject }) => subject)).toContain(
      'Your password was changed at A project',
    );
  });

  test('sends no notice when it is refused', async () => {
    await asClient({ totp_secret_base64: secret, passkey_auth_enabled: true });
    const taken = scene.address();
    await scene.person({ primary_email: taken, primary_email_auth_enabled: true });
    await asServer({ primary_email: taken, password: 'the next password' });
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('sends the email about a new address to the old and the new address', async () => {
    const next = scene.address();
    await asServer({ primary_email: next });
    const emails = [await server.mailbox(email), await server.mailbox(next)].map(([message]) => message);
    expect(emails.map(message => message?.subject)).toEqual(
      Array(2).fill('Your email address was changed at A project'),
    );
    expect(emails[0]?.text).toContain(
      `Emails about your account at A project now go to ${next.replace('@example.com', '')}`,
    );
    expect(emails[0]?.text).not.toContain('://');
  });

  test('names the device of a client in the email, and no device of a server', async () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const headers = { 'user-agent': userAgent, 'cf-ipcountry': 'CH' };
    const body = { totp_secret_base64: secret };
    await scene.call('PATCH /users/me', { accessToken: ada.accessToken, headers, body });
    const params = { user_id: ada.id };
    await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params,
      headers,
      body: { password: 'the next one' },
    });
    const emails = await server.mailbox(email);
    const textOf = (about: RegExp) => emails.find(({ subject }) => about.test(subject))?.text;
    expect(textOf(/turned on/)).toContain('\nDevice: Firefox on Linux\nLocation: Switzerland (approximate)\n');
    expect(textOf(/password/)).toMatch(/\nTime: .* UTC\n\n/);
  });

  test('control 75: an address in a notice does not become a link', async () => {
    const value = 'visit.evil.example/now@evil.example';
    const body = { user_id: 'me', value, type: 'email', used_for_auth: true };
    await scene.call('POST /contact-channels', { accessToken: ada.accessToken, body });
    const [message] = await server.mailbox(email);
    expect(message?.subject).toBe('A sign-in address was added at A project');
    expect(message?.text).toContain('The address visit. evil. example/now@evil. example can now be used');
  });

  test('control 68: notices of another account that names the address do not use up the notices of its owner', async () => {
    await asServer({ primary_email_verified: true });
    const eve = await scene.person({ primary_email: scene.address() });
    const body = { user_id: 'me', value: email, type: 'email', used_for_auth: false };
    await scene.call('POST /contact-channels', { accessToken: eve.accessToken, body });
    const listed = await scene.call('GET /contact-channels', {
      accessToken: eve.accessToken,
      query: { user_id: 'me' },
    });
    const { items } = (listed as unknown as { body: { items: { id: string }[] } }).body;
    for (let count = 0; count < noticesPerRecipient; count++) {
      const params = { user_id: eve.id, contact_channel_id: items[(count + 1) % 2]?.id ?? '' };
      const patch = { level: 'server', params, body: { is_primary: true } } as const;
      expect(await scene.call('PATCH /contact-channels/{user_id}/{contact_channel_id}', patch)).toMatchObject({
        status: 200,
      });
    }
    expect(await scene.takeEmails()).not.toEqual([]);
    expect(await asClient({ totp_secret_base64: secret })).toMatchObject({ status: 200 });
    expect(await scene.takeEmails()).toMatchObject([{ template: 'totp_switched_on', recipient: email }]);
  });

  test('changes that turn a contact channel into a sign-in address are limited for the user', async () => {
    const added = {
      accessToken: ada.accessToken,
      body: { user_id: 'me', value: scene.address(), type: 'email', used_for_auth: false },
    };
    const { body: channel } = (await scene.call('POST /contact-channels', added)) as unknown as {
      body: { id: string };
    };
    const change = () =>
      scene.call('PATCH /contact-channels/{user_id}/{contact_channel_id}', {
        accessToken: ada.accessToken,
        params: { user_id: 'me', contact_channel_id: channel.id },
        body: { used_for_auth: true },
      });
    for (let count = 1; count < rateLimits.channelAdditionsPerUser.points; count++) {
      expect(await change()).toMatchObject({ status: 200 });
    }
    expect(await change()).toMatchObject({ status: 429 });
  });

  test('control 72: all accounts together send few notices to an address that none of them has verified', async () => {
    const stranger = scene.address();
    for (let account = 0; account < 2; account++) {
      const eve = await scene.person({ primary_email: stranger });
      for (let change = 0; change < noticesPerUnverifiedRecipient; change++) {
        const body = { totp_secret_base64: secret };
        expect(await scene.call('PATCH /users/me', { accessToken: eve.accessToken, body })).toMatchObject({
          status: 200,
        });
      }
    }
    expect((await scene.takeEmails()).map(({ recipient }) => recipient)).toEqual(
      Array(noticesPerUnverifiedRecipient).fill(stranger),
    );
  });

  test('a verified address that was replaced gets its notice after other accounts used up the notices to unverified addresses', async () => {
    await asServer({ primary_email_verified: true });
    const eve = await scene.person({ primary_email: scene.address() });
    for (let count = 0; count <= noticesPerUnverifiedRecipient; count++) {
      const params = { user_id: eve.id };
      const body = { primary_email: count % 2 === 0 ? email : scene.address() };
      await scene.call('PATCH /users/{user_id}', { level: 'server', params, body });
    }
    await scene.takeEmails();
    await asServer({ primary_email: scene.address() });
    expect((await scene.takeEmails()).filter(({ recipient }) => recipient === email)).toMatchObject([
      { template: 'primary_email_changed' },
    ]);
  });

  test('control 72: notices stop at the limit per recipient, and the changes continue', async () => {
    await asServer({ primary_email_verified: true });
    for (let count = 0; count <= noticesPerRecipient; count++) {
      expect(await asClient({ totp_secret_base64: secret })).toMatchObject({ status: 200 });
    }
    expect(await scene.takeEmails()).toHaveLength(noticesPerRecipient);
    server.clock.advance(noticeWindowMs);
    await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params: { user_id: ada.id },
      body: { totp_secret_base64: null },
    });
    expect(await scene.takeEmails()).toMatchObject([{ template: 'totp_switched_off' }]);
  });
});
