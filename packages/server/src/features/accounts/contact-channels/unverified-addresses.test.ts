import { contactChannelsMax, rateLimits } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TestServer } from '../../../test/harness.ts';
import { newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../../oauth/oauth.fixtures.ts';
import { callback, type Person, personOf, plainPasswords } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
let squatter: Person;
let address: string;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server, { magicLinkEnabled: true });
  address = scene.address();
  squatter = await scene.person({ ...signInAddress(scene.address()), primary_email_verified: true, password });
  await hold(squatter);
});

const password = 'correct horse';
const conflict = { status: 409, code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE' };
const channels = z.object({
  items: z.array(z.object({ id: z.string(), value: z.string(), used_for_auth: z.boolean(), is_verified: z.boolean() })),
});

const signInAddress = (primary_email: string) => ({ primary_email, primary_email_auth_enabled: true });

/** Adds the address to the sign-in addresses of a user, unverified. */
const hold = ({ accessToken }: Person, options: CallOptions = {}) =>
  scene.call('POST /contact-channels', {
    accessToken,
    ...options,
    body: { user_id: 'me', value: address, type: 'email', used_for_auth: true },
  });

async function channelOf({ id }: Person) {
  const { json } = await server.call('GET /contact-channels', {
    project: scene.project,
    level: 'server',
    query: { user_id: id },
  });
  return channels.parse(json).items.find(({ value }) => value === address);
}

async function signUp(): Promise<Person> {
  const body = { email: address, password, verification_callback_url: callback };
  return personOf((await server.call('POST /auth/password/sign-up', { project: scene.project, body })).json);
}

async function signInByCode() {
  const body = { email: address, callback_url: callback };
  expect(await scene.call('POST /auth/otp/send-sign-in-code', { body })).toMatchObject({ status: 200 });
  const signedIn = await scene.call('POST /auth/otp/sign-in', { body: { code: await scene.emailedCode() } });
  expect(signedIn).toMatchObject({ status: 200 });
  return personOf('body' in signedIn ? signedIn.body : undefined);
}

const owners: Readonly<Record<string, () => Promise<string>>> = {
  'password sign-up': async () => (await signUp()).id,
  'sign-in by code': async () => (await signInByCode()).id,
  'a provider': async () => (await scene.signIn(newGithubUser({ email: address }))).user.id,
};

describe('an unverified address beside another verified sign-in address', () => {
  test.each(Object.entries(owners))('does not block %s, and becomes a plain address', async (_, enter) => {
    const id = await enter();
    expect(id).not.toBe(squatter.id);
    expect(await scene.userById(id)).toMatchObject({ primary_email: address, primary_email_auth_enabled: true });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false, is_verified: false });
    const body = { email: address, password: 'the password of the squatter' };
    expect(await scene.call('POST /auth/password/sign-in', { body })).toMatchObject({
      code: 'EMAIL_PASSWORD_MISMATCH',
    });
    expect(await hold(squatter)).toMatchObject({ status: 400 });
  });

  test('the account that lost the address still signs in with its verified address', async () => {
    await signInByCode();
    const { primary_email: email } = (await scene.userById(squatter.id)) as { primary_email: string };
    const signedIn = await scene.call('POST /auth/password/sign-in', { body: { email, password } });
    expect(signedIn).toMatchObject({ status: 200, body: { user_id: squatter.id } });
  });

  test('the audit log of the account records the loss', async () => {
    await signInByCode();
    const query = { action: 'factor.address_changed', user_id: squatter.id };
    const log = await scene.call('GET /internal/extensions/audit-log', { level: 'admin', query });
    expect(log).toMatchObject({ body: { items: [{ user_id: squatter.id, actor: { type: 'system' } }] } });
  });

  test('a user who has verified the address on a plain channel can turn it into a sign-in address', async () => {
    const owner = await scene.person({ ...signInAddress(scene.address()), primary_email_verified: true });
    const value = { user_id: 'me', value: address, type: 'email' };
    const { accessToken } = owner;
    expect(
      await scene.call('POST /contact-channels', { accessToken, body: { ...value, used_for_auth: true } }),
    ).toEqual(expect.objectContaining(conflict));
    await scene.call('POST /contact-channels', { accessToken, body: { ...value, used_for_auth: false } });
    const params = { user_id: owner.id, contact_channel_id: (await channelOf(owner))?.id ?? '' };
    const route = '/contact-channels/{user_id}/{contact_channel_id}';
    const use = () => scene.call(`PATCH ${route}`, { accessToken, params, body: { used_for_auth: true } });
    expect(await use()).toMatchObject(conflict);
    await scene.call(`POST ${route}/send-verification-code`, { accessToken, params, body: { callback_url: callback } });
    await scene.call('POST /contact-channels/verify', { body: { code: await scene.emailedCode() } });
    expect(await use()).toMatchObject({ status: 200, body: { used_for_auth: true, is_verified: true } });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false });
  });

  test('moves to another user when a server sets it as verified there', async () => {
    const vouched = await scene.call('POST /users', {
      level: 'server',
      body: { ...signInAddress(address), primary_email_verified: true },
    });
    expect(vouched).toMatchObject({ status: 201 });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false });
  });

  test('goes to a user whom a server creates with it, unverified', async () => {
    const made = await scene.call('POST /users', { level: 'server', body: signInAddress(address) });
    expect(made).toMatchObject({ status: 201 });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false });
  });

  test('moves to a user who has it verified on a plain channel, when a server makes it primary and for sign-in', async () => {
    const owner = await scene.person(signInAddress(scene.address()));
    const plain = { user_id: owner.id, value: address, type: 'email', is_verified: true, used_for_auth: false };
    await scene.call('POST /contact-channels', { level: 'server', body: plain });
    const changed = await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params: { user_id: owner.id },
      body: signInAddress(address),
    });
    expect(changed).toMatchObject({ status: 200, body: { primary_email: address, primary_email_verified: true } });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false });
  });

  test('of 20 concurrent sign-ups one gets the address', async () => {
    const body = { email: address, password, verification_callback_url: callback };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => scene.call('POST /auth/password/sign-up', { body })),
    );
    const won = all.filter(({ status }) => status === 200);
    const lost = all.filter(outcome => 'code' in outcome && outcome.code === 'USER_EMAIL_ALREADY_EXISTS');
    expect([won.length, lost.length]).toEqual([1, 19]);
  });
});

describe('an unverified address beside another unverified, primary address', () => {
  beforeEach(async () => {
    address = scene.address();
    squatter = await scene.person({ ...signInAddress(scene.address()), password });
    await hold(squatter);
  });

  test.each(Object.entries(owners))('does not block %s, and becomes a plain address', async (_, enter) => {
    const id = await enter();
    expect(id).not.toBe(squatter.id);
    expect(await scene.userById(id)).toMatchObject({ primary_email: address, primary_email_auth_enabled: true });
    expect(await channelOf(squatter)).toMatchObject({ used_for_auth: false, is_verified: false });
  });

  test('leaves the primary address of the account taken', async () => {
    const { primary_email: email } = (await scene.userById(squatter.id)) as { primary_email: string };
    const body = { email, password, verification_callback_url: callback };
    expect(await scene.call('POST /auth/password/sign-up', { body })).toMatchObject({ status: 409 });
    expect(await scene.call('POST /auth/password/sign-in', { body: { email, password } })).toMatchObject({
      status: 200,
    });
  });
});

describe('unverified addresses of an account without a primary one', () => {
  const signUpWith = (email: string) =>
    scene.call('POST /auth/password/sign-up', { body: { email, password, verification_callback_url: callback } });

  test('are free for other accounts except the oldest one, also after it is no longer primary', async () => {
    const addresses = Array.from({ length: contactChannelsMax }, () => scene.address());
    [address = ''] = addresses;
    const holder = await signUp();
    for (const added of addresses.slice(1)) {
      server.clock.advance(1);
      address = added;
      expect(await hold(holder)).toMatchObject({ status: 201 });
    }
    [address = ''] = addresses;
    const params = { user_id: 'me', contact_channel_id: (await channelOf(holder))?.id ?? '' };
    const { accessToken } = holder;
    const body = { is_primary: false };
    const route = 'PATCH /contact-channels/{user_id}/{contact_channel_id}';
    expect(await scene.call(route, { accessToken, params, body })).toMatchObject({ status: 200, body });
    const statuses: number[] = [];
    for (const email of addresses) statuses.push((await signUpWith(email)).status);
    expect(statuses).toEqual([409, ...Array(contactChannelsMax - 1).fill(200)]);
  });
});

describe('a sole unverified address', () => {
  test('is refused to other accounts with the answers of the contract', async () => {
    await signUp();
    const email = { email: address };
    const body = { ...email, password, verification_callback_url: callback };
    const taken = { status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details: email };
    expect(await scene.call('POST /auth/password/sign-up', { body })).toEqual(taken);
    const sending = { ...email, callback_url: callback };
    expect(await scene.call('POST /auth/otp/send-sign-in-code', { body: sending })).toEqual(taken);
    expect(await hold(await scene.person())).toMatchObject(conflict);
  });

  test('blocks other accounts again when the account deletes its verified address', async () => {
    const { json } = await server.call('GET /contact-channels', {
      project: scene.project,
      level: 'server',
      query: { user_id: squatter.id },
    });
    const verified = channels.parse(json).items.find(({ is_verified }) => is_verified);
    const params = { user_id: squatter.id, contact_channel_id: verified?.id ?? '' };
    await scene.call('DELETE /contact-channels/{user_id}/{contact_channel_id}', { level: 'server', params });
    const body = { email: address, password, verification_callback_url: callback };
    expect(await scene.call('POST /auth/password/sign-up', { body })).toMatchObject({ status: 409 });
  });
});

describe('control 70: contact channels', () => {
  const add = (person: Person, options: CallOptions = {}) =>
    scene.call('POST /contact-channels', {
      accessToken: person.accessToken,
      ...options,
      body: { user_id: 'me', value: scene.address(), type: 'email', used_for_auth: true },
    });
  const fill = async (person: Person, count: number) => {
    for (let added = 0; added < count; added++) expect(await add(person)).toMatchObject({ status: 201 });
  };
  const remove = (person: Person, contact_channel_id: string) =>
    scene.call('DELETE /contact-channels/{user_id}/{contact_channel_id}', {
      accessToken: person.accessToken,
      params: { user_id: 'me', contact_channel_id },
    });

  test('the eleventh contact channel of a user is refused with 400', async () => {
    const person = await scene.person();
    await fill(person, contactChannelsMax);
    expect(await add(person)).toEqual({ status: 400, says: 'a sentence' });
    expect(await add(await scene.person())).toMatchObject({ status: 201 });
  });

  test('a primary email that would be the eleventh contact channel is refused with 400', async () => {
    const person = await scene.person();
    await fill(person, contactChannelsMax);
    const change = (primary_email: string) =>
      scene.call('PATCH /users/{user_id}', {
        level: 'server',
        params: { user_id: person.id },
        body: { primary_email },
      });
    expect(await change(scene.address())).toEqual({ status: 400, says: 'a sentence' });
    const own = z.object({ items: z.array(z.object({ value: z.string() })) });
    const query = { user_id: person.id };
    const { json } = await server.call('GET /contact-channels', { project: scene.project, level: 'server', query });
    const existing = own.parse(json).items[0]?.value ?? '';
    expect(await change(existing)).toMatchObject({ status: 200, body: { primary_email: existing } });
    expect(await change(scene.address())).toMatchObject({ status: 200 });
  });

  test('concurrent additions cannot exceed ten contact channels', async () => {
    const person = await scene.person();
    const all = await Promise.all(Array.from({ length: 15 }, () => add(person)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(contactChannelsMax);
  });

  test('adding and deleting contact channels in a loop ends with 429', async () => {
    const person = await scene.person();
    const statuses: number[] = [];
    for (let count = 0; count <= rateLimits.channelAdditionsPerUser.points; count++) {
      const added = await add(person);
      statuses.push(added.status);
      if ('body' in added) await remove(person, z.object({ id: z.string() }).parse(added.body).id);
    }
    expect(statuses.slice(0, -1)).toEqual(Array(rateLimits.channelAdditionsPerUser.points).fill(201));
    expect(statuses.at(-1)).toBe(429);
  });

  test('an address block that adds contact channels to many users is refused with 429', async () => {
    const peerAddress = '203.0.113.7';
    const people = await Promise.all(Array.from({ length: 7 }, () => scene.person()));
    const { points } = rateLimits.channelAdditionsPerAddress;
    for (let count = 0; count < points; count++) {
      const person = people[Math.floor(count / contactChannelsMax)];
      if (person !== undefined) await add(person, { peerAddress });
    }
    const last = people.at(-1);
    if (last === undefined) throw new Error('no user is left');
    expect(await add(last, { peerAddress })).toMatchObject({ status: 429 });
    expect(await add(last, { peerAddress: '203.0.113.8' })).toMatchObject({ status: 201 });
  });
});
