import { violationsListedMax, webhookEndpointsMax, webhookEventTypes } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { Ordering, type Svix } from 'svix';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { portalTokenOf, refusal, svixClient } from '../scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let svix: Svix;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
  svix = svixClient(server, await portalTokenOf(server, project));
});

const url = 'https://receiver.example/hooks';
const anEndpointId = expect.stringMatching(/^ep_[0-9a-f]{32}$/);
const aSecretKey = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

describe('the app portal token', () => {
  test('is returned with 201 as the only field', async () => {
    const answer = await server.call('POST /webhooks/svix-token', { project, level: 'admin', body: {} });
    expect(outcome(answer)).toEqual({ status: 201, body: { token: expect.stringMatching(/^appsk_[\w-]+$/) } });
  });

  test.each([
    ['an unknown key', { body: { expiry: 3600 } }],
    ['no body', {}],
    ['an unknown query', { body: {}, query: { a: 'b' } }],
  ])('is refused for a request with %s', async (_, request) => {
    const answer = await server.call('POST /webhooks/svix-token', { project, level: 'admin', ...request });
    expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('is used at this server, whose URL and event types the extension returns', async () => {
    const answer = await server.call('GET /internal/extensions/webhooks', { project, level: 'admin' });
    expect(outcome(answer)).toEqual({
      status: 200,
      body: { server_url: 'http://localhost:4280', event_types: [...webhookEventTypes] },
    });
  });

  test('grants access to the application of its project by project id and by application id', async () => {
    const application = await svix.application.get(project.id);
    expect(application).toEqual({
      id: `app_${project.id.replaceAll('-', '')}`,
      uid: project.id,
      name: 'A project',
      metadata: {},
      rateLimit: null,
      throttleRate: null,
      createdAt: new Date(server.clock.now()),
      updatedAt: new Date(server.clock.now()),
    });
    expect(await svix.application.get(application.id)).toEqual(application);
  });
});

describe('a webhook endpoint', () => {
  test('is created with defaults and read back', async () => {
    const created = await svix.endpoint.create(project.id, { url });
    expect(created).toEqual({
      id: anEndpointId,
      uid: null,
      url,
      description: '',
      disabled: false,
      filterTypes: null,
      metadata: {},
      version: 1,
      channels: null,
      rateLimit: null,
      throttleRate: null,
      createdAt: new Date(server.clock.now()),
      updatedAt: new Date(server.clock.now()),
    });
    expect(await svix.endpoint.get(project.id, created.id)).toEqual(created);
    expect(await svix.endpoint.getSecret(project.id, created.id)).toEqual({ key: aSecretKey });
  });

  test('is created with all settings and found by its uid', async () => {
    const wished = {
      uid: 'crm-1',
      url,
      description: 'CRM',
      disabled: true,
      filterTypes: ['user.created', 'team.deleted'],
      metadata: { team: 'blue' },
      version: 3,
    };
    const created = await svix.endpoint.create(project.id, {
      ...wished,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      channels: null,
      headers: null,
      rateLimit: null,
      throttleRate: null,
    });
    expect(created).toMatchObject(wished);
    expect(await svix.endpoint.get(project.id, 'crm-1')).toEqual(created);
    expect(await svix.endpoint.getSecret(project.id, 'crm-1')).toEqual({
      key: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    });
  });

  test('is replaced by PUT: a missing setting gets its default', async () => {
    const { id } = await svix.endpoint.create(project.id, { url, description: 'CRM', filterTypes: ['user.created'] });
    server.clock.advance(1000);
    const replaced = await svix.endpoint.update(project.id, id, { url: `${url}/2`, disabled: true });
    expect(replaced).toMatchObject({ url: `${url}/2`, description: '', filterTypes: null, disabled: true });
    expect(replaced.updatedAt).toEqual(new Date(server.clock.now()));
    expect(replaced.createdAt).toEqual(new Date(server.clock.now() - 1000));
  });

  test('is changed by PATCH: a missing setting keeps its value', async () => {
    const { id } = await svix.endpoint.create(project.id, { url, description: 'CRM', filterTypes: ['user.created'] });
    expect(await svix.endpoint.patch(project.id, id, { disabled: true })).toMatchObject({
      url,
      description: 'CRM',
      filterTypes: ['user.created'],
      disabled: true,
    });
    expect(await svix.endpoint.patch(project.id, id, { filterTypes: null, uid: 'crm' })).toMatchObject({
      filterTypes: null,
      uid: 'crm',
      disabled: true,
    });
  });

  test('is deleted with its keys', async () => {
    const { id } = await svix.endpoint.create(project.id, { url, uid: 'crm' });
    expect(await svix.endpoint.delete(project.id, id)).toBeUndefined();
    const missing = [404, { code: 'not_found', detail: 'Entity not found' }];
    expect(await refusal(svix.endpoint.get(project.id, id))).toEqual(missing);
    expect(await refusal(svix.endpoint.delete(project.id, 'crm'))).toEqual(missing);
    expect((await svix.endpoint.list(project.id)).data).toEqual([]);
    const [row] = await server.deps.db.query<{ secrets: Buffer }>(
      sql`select secrets from webhook_endpoints where project_id = ${project.id}`,
    );
    expect(row?.secrets).toHaveLength(0);
    expect(await svix.endpoint.create(project.id, { url, uid: 'crm' })).toMatchObject({ uid: 'crm' });
  });

  test('control 87: gets a new secret by rotation, generated or given', async () => {
    const { id } = await svix.endpoint.create(project.id, { url });
    const { key } = await svix.endpoint.getSecret(project.id, id);
    expect(await svix.endpoint.rotateSecret(project.id, id)).toBeUndefined();
    const rotated = await svix.endpoint.getSecret(project.id, id);
    expect(rotated).toEqual({ key: aSecretKey });
    expect(rotated.key).not.toBe(key);
    const given = Buffer.alloc(24, 7).toString('base64');
    await svix.endpoint.rotateSecret(project.id, id, { key: given, gracePeriodSeconds: 0 });
    expect(await svix.endpoint.getSecret(project.id, id)).toEqual({ key: `whsec_${given}` });
  });

  test('control 99: has an encrypted secret in the database', async () => {
    const { id } = await svix.endpoint.create(project.id, { url });
    const { key } = await svix.endpoint.getSecret(project.id, id);
    const [row] = await server.deps.db.query<{ secrets: Buffer }>(
      sql`select secrets from webhook_endpoints where project_id = ${project.id}`,
    );
    expect(row?.secrets.toString('latin1')).not.toContain(key.slice(6));
    expect(server.logged()).not.toContain(key.slice(6));
  });

  test('has a unique uid', async () => {
    await svix.endpoint.create(project.id, { url, uid: 'crm' });
    const { id } = await svix.endpoint.create(project.id, { url });
    const taken = [409, { code: 'conflict', detail: 'An endpoint with this uid exists already.' }];
    expect(await refusal(svix.endpoint.create(project.id, { url, uid: 'crm' }))).toEqual(taken);
    expect(await refusal(svix.endpoint.patch(project.id, id, { uid: 'crm' }))).toEqual(taken);
  });

  test('stays disabled when it is disabled while its description is changed', async () => {
    const { db } = server.deps;
    const { id } = await svix.endpoint.create(project.id, { url });
    const waiting = sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    const changed = await transaction(db, async tx => {
      await tx.query(sql`update webhook_endpoints set is_disabled = true where project_id = ${project.id}`);
      const change = svix.endpoint.patch(project.id, id, { description: 'changed' });
      while ((await db.query(waiting)).length === 0);
      return { change };
    });
    expect(await changed.change).toMatchObject({ description: 'changed', disabled: true });
  });

  test('is refused above the maximum per project', async () => {
    await server.deps.db.query(sql`
      insert into webhook_endpoints
        (project_id, id, url, description, is_disabled, metadata, version, secrets, created_at_millis, updated_at_millis)
      select ${project.id}, gen_random_uuid(), ${url}, '', false, '{}', 1, '', n, n
      from generate_series(1, ${webhookEndpointsMax - 1}) n
    `);
    const makings = [1, 2, 3].map(() =>
      svix.endpoint.create(project.id, { url }).then(
        () => 'made',
        () => 'refused',
      ),
    );
    expect((await Promise.all(makings)).sort()).toEqual(['made', 'refused', 'refused']);
  });
});

describe('the list of endpoints', () => {
  let ids: string[];
  beforeEach(async () => {
    ids = [];
    for (const uid of ['a', 'b', 'c', 'd', 'e']) {
      server.clock.advance(1);
      ids.push((await svix.endpoint.create(project.id, { url, uid })).id);
    }
  });

  const named = ({ data }: { data: { uid?: string | null }[] }) => data.map(({ uid }) => uid).join('');

  test('is complete on one page, oldest first', async () => {
    const list = await svix.endpoint.list(project.id);
    expect(list).toEqual({
      data: expect.any(Array),
      done: true,
      iterator: expect.any(String),
      prevIterator: expect.stringMatching(/^-/),
    });
    expect(list.data.map(({ id }) => id)).toEqual(ids);
    expect(named(await svix.endpoint.list(project.id, { order: Ordering.Descending }))).toBe('edcba');
  });

  test.each<[Ordering, string[]]>([
    [Ordering.Ascending, ['ab', 'cd', 'e']],
    [Ordering.Descending, ['ed', 'cb', 'a']],
  ])('has pages in order %s, forwards and backwards', async (order, pages) => {
    const first = await svix.endpoint.list(project.id, { limit: 2, order });
    const second = await svix.endpoint.list(project.id, { limit: 2, order, iterator: first.iterator });
    const third = await svix.endpoint.list(project.id, { limit: 2, order, iterator: second.iterator });
    expect([first, second, third].map(named)).toEqual(pages);
    expect([first, second, third].map(({ done }) => done)).toEqual([false, false, true]);
    const back = await svix.endpoint.list(project.id, { limit: 2, order, iterator: third.prevIterator ?? null });
    expect([named(back), back.done]).toEqual([pages[1], false]);
    const atStart = await svix.endpoint.list(project.id, { limit: 2, order, iterator: back.prevIterator ?? null });
    expect([named(atStart), atStart.done]).toEqual([pages[0], true]);
  });

  test('contains no endpoint of another project', async () => {
    const other = await server.make.project();
    const theirs = svixClient(server, await portalTokenOf(server, other));
    expect(await theirs.endpoint.list(other.id)).toEqual({ data: [], done: true, iterator: null, prevIterator: null });
    for (const id of [ids[0] ?? '', 'a']) {
      expect(await refusal(theirs.endpoint.get(other.id, id))).toEqual([404, expect.anything()]);
    }
  });
});

describe('an invalid request is refused with 422 in the format of Svix', () => {
  const violation = (field: string, msg: string) => [
    422,
    { code: 'validation', detail: [{ loc: field.split('.'), msg, type: 'value_error' }] },
  ];

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no URL', {}, 'body.url', 'Invalid input: expected string, received undefined'],
    [
      'text without a scheme as URL',
      { url: 'receiver' },
      'body.url',
      'must be an http or https URL without user and password',
    ],
    [
      'another scheme',
      { url: 'ftp://receiver.example' },
      'body.url',
      'must be an http or https URL without user and password',
    ],
    [
      'a password',
      { url: 'https://a:b@receiver.example' },
      'body.url',
      'must be an http or https URL without user and password',
    ],
    ['control 86: a private address', { url: 'http://10.0.0.1/' }, 'body.url', 'must be a public address'],
    [
      'control 86: the address of the cloud platform',
      { url: 'http://168.63.129.16/machine' },
      'body.url',
      'must be a public address',
    ],
    [
      'control 86: a private address as a hexadecimal number',
      { url: 'http://0xa000001/' },
      'body.url',
      'must be a public address',
    ],
    ['a short secret', { url, secret: 'whsec_AAAA' }, 'body.secret', 'must be whsec_ and 24 to 75 bytes in base64'],
    ['a name like an id', { url, uid: 'ep_1' }, 'body.uid', 'must not look like an id'],
    ['channels', { url, channels: ['a'] }, 'body.channels', 'Invalid input: expected null, received array'],
    ['headers', { url, headers: { a: 'b' } }, 'body.headers', 'Invalid input: expected null, received object'],
  ])('an endpoint with %s', async (_, body, field, msg) => {
    expect(await refusal(svix.endpoint.create(project.id, body as { url: string }))).toEqual(violation(field, msg));
  });

  test('unknown event types and an empty list of event types', async () => {
    const unknown = refusal(svix.endpoint.create(project.id, { url, filterTypes: ['user.sneezed'] }));
    expect(await unknown).toMatchObject([422, { detail: [{ loc: ['body', 'filterTypes', '0'] }] }]);
    const none = refusal(svix.endpoint.create(project.id, { url, filterTypes: [] }));
    expect(await none).toMatchObject([422, { detail: [{ loc: ['body', 'filterTypes'] }] }]);
  });

  test('more than 100 event types', async () => {
    const filterTypes = (count: number) => Array<string>(count).fill('user.created');
    const endpoint = await svix.endpoint.create(project.id, { url, filterTypes: filterTypes(100) });
    expect(endpoint).toMatchObject({ filterTypes: expect.arrayContaining(['user.created']) });
    const tooMany = refusal(svix.endpoint.create(project.id, { url, filterTypes: filterTypes(101) }));
    expect(await tooMany).toMatchObject([422, { detail: [{ loc: ['body', 'filterTypes'] }] }]);
  });

  test('many invalid values, of which the first 100 are listed and the others are counted', async () => {
    const numbers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]));
    const metadata = numbers as unknown as Record<string, string>;
    const [status, { detail }] = (await refusal(svix.endpoint.create(project.id, { url, metadata }))) as [
      number,
      { detail: unknown[] },
    ];
    expect(status).toBe(422);
    expect(detail).toHaveLength(violationsListedMax + 1);
    expect(detail.at(-1)).toMatchObject({ loc: ['body'], msg: '900 more violations' });
  });

  test('unknown body keys', async () => {
    const body = { url, colour: 'red' } as { url: string };
    const { id } = await svix.endpoint.create(project.id, { url });
    const request = (method: string, path: string) =>
      server.app(
        new Request(`http://localhost:4280/api/v1/app/${project.id}/endpoint${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    const token = await portalTokenOf(server, project);
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['PATCH', `/${id}`],
    ] as const) {
      const response = await request(method, path);
      expect([method, response.status, await response.json()]).toEqual([
        method,
        422,
        { code: 'validation', detail: [{ loc: ['body'], msg: 'Unrecognized key: "colour"', type: 'value_error' }] },
      ]);
    }
  });

  test.each<[string, object]>([
    ['a limit above the maximum', { limit: 251 }],
    ['a limit of 0', { limit: 0 }],
    ['a forged iterator', { iterator: 'ep_0' }],
    ['an unknown order', { order: 'sideways' }],
  ])('a list with %s', async (_, options) => {
    expect(await refusal(svix.endpoint.list(project.id, options))).toMatchObject([422, { code: 'validation' }]);
  });
});
