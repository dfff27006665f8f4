import { randomBytes } from 'node:crypto';
import { displayNameMaxLength, providerAccountIdMaxLength } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

const idOf = (json: unknown) => z.object({ id: z.uuid() }).parse(json).id;
const page = z.object({
  items: z.array(z.object({ id: z.string(), display_name: z.string().nullable() })),
  is_paginated: z.literal(true),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

async function create(body: object, where = project) {
  const answer = await server.call('POST /users', { project: where, level: 'server', body });
  return idOf(answer.json);
}

async function list(query: Record<string, string>, where = project) {
  const answer = await server.call('GET /users', { project: where, level: 'server', query });
  expect(answer.status).toBe(200);
  return page.parse(answer.json);
}

const empty = {
  primary_email: null,
  primary_email_verified: false,
  primary_email_auth_enabled: false,
  display_name: null,
  client_metadata: null,
  client_read_only_metadata: null,
  server_metadata: null,
  profile_image_url: null,
  has_password: false,
  auth_with_email: false,
  oauth_providers: [],
  selected_team_id: null,
  selected_team: null,
  requires_totp_mfa: false,
  otp_auth_enabled: false,
  passkey_auth_enabled: false,
  is_anonymous: false,
};

describe('POST /users', () => {
  test('an empty body creates a user with defaults', async () => {
    const answer = await server.call('POST /users', { project, level: 'server', body: {} });
    const now = server.clock.now();
    const id = idOf(answer.json);
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({ id, ...empty, signed_up_at_millis: now, last_active_at_millis: now });
  });

  test('a created user has every field of the request', async () => {
    const body = {
      display_name: 'Ada',
      primary_email: 'Ada@Example.com',
      primary_email_verified: true,
      primary_email_auth_enabled: true,
      password: 'correct horse battery',
      profile_image_url: 'https://example.com/ada.png',
      client_metadata: { b: 1, a: [null, 'x'] },
      client_read_only_metadata: 'text',
      server_metadata: [1],
      totp_secret_base64: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODk=',
      is_anonymous: true,
      passkey_auth_enabled: true,
    };
    const { json } = await server.call('POST /users', { project, level: 'server', body });
    const now = server.clock.now();
    expect(json).toEqual({
      ...empty,
      id: idOf(json),
      display_name: 'Ada',
      primary_email: 'ada@example.com',
      primary_email_verified: true,
      primary_email_auth_enabled: true,
      profile_image_url: 'https://example.com/ada.png',
      client_metadata: { b: 1, a: [null, 'x'] },
      client_read_only_metadata: 'text',
      server_metadata: [1],
      has_password: true,
      auth_with_email: true,
      requires_totp_mfa: true,
      is_anonymous: true,
      signed_up_at_millis: now,
      last_active_at_millis: now,
    });
    const read = await server.call('GET /users/{user_id}', {
      project,
      level: 'server',
      params: { user_id: idOf(json) },
    });
    expect(read.json).toEqual(json);
  });

  test.each([
    ['a password with a hash', { password: 'correct horse', password_hash: `$2b$10$${'a'.repeat(53)}` }],
    ['a hash of an unknown kind', { password_hash: 'sha1$abc' }],
    ['a verified flag without an address', { primary_email_verified: true }],
    ['a sign-in flag without an address', { primary_email_auth_enabled: true }],
    ['email codes in a project without them', { otp_auth_enabled: true }],
    ['password null with a hash', { password: null, password_hash: `$2b$10$${'a'.repeat(53)}` }],
    ['a provider that is not configured', { oauth_providers: [{ id: 'github', account_id: '1' }] }],
  ])('%s is refused', async (_, body) => {
    const answer = await server.call('POST /users', { project, level: 'server', body });
    expect([answer.status, answer.headers.has('x-stack-known-error')]).toEqual([400, false]);
  });

  test('an address that signs in to another user is refused, a plain address is accepted', async () => {
    const auth = { primary_email: 'taken@example.com', primary_email_auth_enabled: true };
    await create(auth);
    const again = await server.call('POST /users', { project, level: 'server', body: auth });
    expect(again.json).toEqual({
      code: 'USER_EMAIL_ALREADY_EXISTS',
      details: { email: 'taken@example.com' },
      error: expect.any(String),
    });
    expect(await create({ primary_email: 'taken@example.com' })).toEqual(expect.any(String));
  });

  test('a provider account of another user is refused', async () => {
    const provider = { id: 'github', type: 'shared' } as const;
    const withGithub = await server.make.project({ oauthProviders: [provider] });
    const accounts = { oauth_providers: [{ id: 'github', account_id: '42', email: 'ada@example.com' }] };
    const first = await server.call('POST /users', { project: withGithub, level: 'server', body: accounts });
    expect(first.json).toMatchObject(accounts);
    const second = await server.call('POST /users', { project: withGithub, level: 'server', body: accounts });
    expect([second.status, second.json]).toEqual([
      409,
      { code: 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', error: expect.any(String) },
    ]);
  });

  test('a provider account id above 255 characters is refused with SCHEMA_ERROR', async () => {
    const oauth_providers = [{ id: 'github', account_id: 'x'.repeat(providerAccountIdMaxLength + 1) }];
    const { json } = await server.call('POST /users', { project, level: 'server', body: { oauth_providers } });
    expect(json).toMatchObject({
      code: 'SCHEMA_ERROR',
      details: { message: expect.stringContaining('account_id must be at most 255 characters') },
    });
  });

  test('a client is refused with INSUFFICIENT_ACCESS_TYPE', async () => {
    const answer = await server.call('POST /users', { project, body: {} });
    expect(answer.json).toMatchObject({
      code: 'INSUFFICIENT_ACCESS_TYPE',
      details: { actual_access_type: 'client', allowed_access_types: ['server', 'admin'] },
    });
  });
});

describe('/users/{user_id}', () => {
  test('a user of another project answers USER_NOT_FOUND', async () => {
    const userId = await create({});
    const other = await server.make.project();
    for (const route of ['GET /users/{user_id}', 'PATCH /users/{user_id}', 'DELETE /users/{user_id}'] as const) {
      const body = route.startsWith('PATCH') ? {} : undefined;
      const answer = await server.call(route, { project: other, level: 'server', params: { user_id: userId }, body });
      expect(answer.json, `control 92: ${route}`).toMatchObject({ code: 'USER_NOT_FOUND' });
    }
  });

  test('an update returns the changed user', async () => {
    const userId = await create({ display_name: 'Before' });
    const body = { display_name: 'After', server_metadata: { plan: 'pro' } };
    const answer = await server.call('PATCH /users/{user_id}', {
      project,
      level: 'server',
      params: { user_id: userId },
      body,
    });
    expect(answer.json).toMatchObject({ id: userId, display_name: 'After', server_metadata: { plan: 'pro' } });
  });

  test('a deleted user answers USER_NOT_FOUND', async () => {
    const params = { user_id: await create({}) };
    const deleted = await server.call('DELETE /users/{user_id}', { project, level: 'server', params });
    expect(deleted.json).toEqual({ success: true });
    const again = await server.call('DELETE /users/{user_id}', { project, level: 'server', params });
    expect(again.json).toMatchObject({ code: 'USER_NOT_FOUND' });
  });
});

describe('GET /users', () => {
  let crowd: ProjectAccess;
  const ids: string[] = [];
  beforeAll(async () => {
    crowd = await server.make.project();
    for (let number = 0; number < 7; number++) {
      const body = { display_name: `Person 100%_${number}`, primary_email: `p${number}@Example.com` };
      ids.push(await create(body, crowd));
      // Two users sign up in the same millisecond.
      if (number !== 3) server.clock.advance(1);
    }
    const tied = ids.slice(3, 5).sort();
    ids.splice(3, 2, ...tied);
  });

  async function walk(query: Record<string, string>) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { items, pagination } = await list({ ...query, ...(cursor === null ? {} : { cursor }) }, crowd);
      seen.push(...items.map(item => item.id));
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    return seen;
  }

  test('control 95: pages are complete and ordered, ascending and descending', async () => {
    expect(await walk({ limit: '2' })).toEqual(ids);
    expect(await walk({ limit: '3', desc: 'true' })).toEqual(ids.toReversed());
    expect(await walk({})).toEqual(ids);
  });

  test('control 95: users who are added or deleted between two pages do not change the others', async () => {
    const busy = await server.make.project();
    const people: string[] = [];
    for (let number = 0; number < 9; number++) {
      people.push(await create({}, busy));
      server.clock.advance(1);
    }
    const going = [people[0], people[2], people[8]];
    const staying = people.filter(id => !going.includes(id));
    const first = await list({ limit: '4' }, busy);
    for (const id of going)
      await server.call('DELETE /users/{user_id}', { project: busy, level: 'server', params: { user_id: id ?? '' } });
    const coming = await create({}, busy);
    const second = await list({ limit: '4', cursor: first.pagination.next_cursor ?? '' }, busy);
    const third = await list({ limit: '4', cursor: second.pagination.next_cursor ?? '' }, busy);
    const seen = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(seen.filter(id => staying.includes(id))).toEqual(staying);
    expect(seen).toEqual([...people.slice(0, 8), coming]);
    expect(third.pagination.next_cursor).toBeNull();
  });

  test('control 95: a page of more than 10,000 users is refused with SCHEMA_ERROR', async () => {
    const answer = await server.call('GET /users', { project: crowd, level: 'server', query: { limit: '10001' } });
    expect(answer.json).toMatchObject({ code: 'SCHEMA_ERROR' });
  });

  test('a cursor of an unknown user or of another project returns an empty page', async () => {
    const { items, pagination } = await list({ cursor: '00000000-0000-4000-8000-000000000000' }, crowd);
    expect([items, pagination]).toEqual([[], { next_cursor: null }]);
    const foreign = await list({ cursor: ids[0] ?? '' });
    expect(foreign.items, 'control 92').toEqual([]);
  });

  test.each([
    ['part of a name, any case', 'ERSON 100', 7],
    ['part of an address', 'p3@exam', 1],
    ['control 84: wildcards as ordinary characters', '%_4', 1],
    ['control 84: a percent sign alone', '%%%', 0],
    ['a short beginning', 'pe', 7],
    ['all users for an empty search', '', 7],
    ['no user for a word that occurs nowhere', 'zebra', 0],
    ['no user for a backslash', '\\', 0],
    ['no user for punctuation alone', '...', 0],
    ['two letters at the end of a word', 'on 100', 7],
  ])('the search finds %s', async (_, query, count) => {
    expect((await list({ query }, crowd)).items).toHaveLength(count);
  });

  test('the search finds a user by id and by a changed name', async () => {
    const id = ids[2] ?? '';
    for (const query of [id.toUpperCase(), `{${id}}`, ` ${id}\n`, id.replaceAll('-', '- ')])
      expect((await list({ query }, crowd)).items.map(item => item.id)).toEqual([id]);
    const body = { display_name: 'Ümläut' };
    await server.call('PATCH /users/{user_id}', { project: crowd, level: 'server', params: { user_id: id }, body });
    expect((await list({ query: 'ÜMLÄ' }, crowd)).items.map(item => item.id)).toEqual([id]);
  });

  test('the search does not find users by a part of their id', async () => {
    const project = await server.make.project();
    const nameless = await create({}, project);
    const named = await create({ display_name: 'Ada' }, project);
    for (const query of [nameless, named].flatMap(id => [id[0], id.slice(0, 2), id.slice(0, 8), id.slice(4, 20)])) {
      const { items } = await list({ query: query ?? '' }, project);
      expect(items.map(item => item.id)).toEqual('ada'.startsWith(query ?? '') ? [named] : []);
    }
  });

  test('the search finds a name with a line break by the words around it', async () => {
    const id = await create({ display_name: 'Grete\nQuasthoff' }, crowd);
    for (const query of ['grete\nquasthoff', 'E\nQ', 'quasthoff']) {
      expect((await list({ query }, crowd)).items.map(item => item.id)).toEqual([id]);
    }
  });

  test('a name of 10,000 characters is returned whole, and the search finds its end', async () => {
    const display_name = randomBytes(displayNameMaxLength / 2).toString('hex');
    const id = await create({ display_name }, crowd);
    const { items } = await list({ query: display_name.slice(-20) }, crowd);
    expect(items).toEqual([expect.objectContaining({ id, display_name })]);
  });

  test('an unknown team has no users', async () => {
    expect((await list({ team_id: '00000000-0000-4000-8000-000000000000' }, crowd)).items).toEqual([]);
  });
});
