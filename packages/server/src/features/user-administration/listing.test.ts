import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { transaction } from '../../platform/database/database.ts';
import { Statement, sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';
import { listFilteredUsers } from './listing.ts';
import { filteredQuery } from './wire.ts';

let server: TestServer;
let project: ProjectAccess;
const signedUpAt: Record<string, number> = {};

const pageSchema = z.object({
  items: z.array(z.object({ id: z.string(), display_name: z.string().nullable() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const hash = '$2b$04$abcdefghijklmnopqrstuuW0dG.W6kIn9hdDlsGV5CqMAe0TjZq3S';

/** In the order of sign-up. */
const people = [
  {
    display_name: 'Ada',
    primary_email: 'ada@example.com',
    primary_email_verified: true,
    primary_email_auth_enabled: true,
    password_hash: hash,
  },
  { display_name: 'Bob', primary_email: 'bob@example.com', otp_auth_enabled: true },
  { display_name: 'Cleo', is_anonymous: true },
  { display_name: 'Dan', oauth_providers: [{ id: 'github', account_id: 'dan' }] },
  { display_name: 'Eve', totp_secret_base64: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODk=' },
];

beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  project = await server.make.project({
    credentialEnabled: true,
    magicLinkEnabled: true,
    oauthProviders: [{ id: 'github', type: 'shared' }],
  });
  for (const body of people) {
    server.clock.advance(1_000);
    const { json, status } = await server.call('POST /users', { project, level: 'server', body });
    expect([body.display_name, status]).toEqual([body.display_name, 201]);
    const { id } = z.object({ id: z.string() }).parse(json);
    signedUpAt[body.display_name] = server.clock.now();
    if (body.display_name === 'Bob') {
      const atMillis = server.clock.now() + 100_000;
      await server.deps.db.query(sql`
        update users set last_active_at_millis = ${atMillis} where project_id = ${project.id} and id = ${id}
      `);
    }
  }
});
afterAll(() => server.close());

async function list(query: Record<string, string>) {
  const answer = await server.call('GET /internal/extensions/users', { project, level: 'admin', query });
  expect(answer.status).toBe(200);
  return pageSchema.parse(answer.json);
}

const names = async (query: Record<string, string>) => (await list(query)).items.map(user => user.display_name);

describe('GET /internal/extensions/users', () => {
  test.each([
    [{}, ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']],
    [{ desc: 'true' }, ['Eve', 'Dan', 'Cleo', 'Bob', 'Ada']],
    [{ method: 'password' }, ['Ada']],
    [{ method: 'otp' }, ['Ada']],
    [{ method: 'passkey' }, []],
    [{ method: 'github' }, ['Dan']],
    [{ method: 'google' }, []],
    [{ is_verified: 'true' }, ['Ada']],
    [{ is_verified: 'false', is_anonymous: 'false' }, ['Bob', 'Dan', 'Eve']],
    [{ is_anonymous: 'true' }, ['Cleo']],
    [{ has_second_factor: 'true' }, ['Eve']],
    [{ query: 'example.com', method: 'otp' }, ['Ada']],
  ])('with %o lists %j', async (query, expected) => {
    expect(await names(query as Record<string, string>)).toEqual(expected);
  });

  test('the email code status of each user is the outcome of a request for an email code', async () => {
    const own = await server.make.project({ magicLinkEnabled: true });
    const access = { project: own, level: 'server' } as const;
    const verified = { primary_email_verified: true, primary_email_auth_enabled: true };
    const users = [
      ['on', { ...verified, otp_auth_enabled: true }, 200],
      ['first_use', verified, 200],
      ['refused', { ...verified, otp_auth_enabled: false }, 409],
      ['unverified', { primary_email_auth_enabled: true, otp_auth_enabled: true }, 409],
    ] as const;
    for (const [name, body] of users) {
      const primary_email = `${name}@example.com`;
      const created = await server.call('POST /users', {
        ...access,
        body: { ...body, primary_email, display_name: name },
      });
      const { id } = z.object({ id: z.string() }).parse(created.json);
      // A creation does not refuse codes; an update does.
      if (name === 'refused') {
        const refusal = { params: { user_id: id }, body: { otp_auth_enabled: false } };
        await server.call('PATCH /users/{user_id}', { ...access, ...refusal });
      }
    }
    await server.call('POST /users', { ...access, body: { display_name: 'no_address' } });
    const codes = z.object({ items: z.array(z.object({ display_name: z.string(), email_code: z.string() })) });
    const read = async (query: Record<string, string>) =>
      codes.parse((await server.call('GET /internal/extensions/users', { project: own, level: 'admin', query })).json)
        .items;
    const found = await read({});
    expect(found).toHaveLength(5);
    expect(found.map(user => user.email_code)).toEqual(found.map(user => user.display_name));
    expect((await read({ method: 'otp' })).map(user => user.email_code).sort()).toEqual(['first_use', 'on']);

    for (const [name, , status] of users) {
      const body = { email: `${name}@example.com`, callback_url: 'http://localhost:3000/callback' };
      const sent = await server.call('POST /auth/otp/send-sign-in-code', { project: own, level: 'client', body });
      expect([name, sent.status]).toEqual([name, status]);
    }
  });

  test('the time of sign-up is a range with an open end', async () => {
    const query = {
      signed_up_from_millis: String(signedUpAt.Bob),
      signed_up_to_millis: String(signedUpAt.Dan),
    };
    expect(await names(query)).toEqual(['Bob', 'Cleo']);
  });

  test('the last activity counts a session, and the sign-up where there is none', async () => {
    expect(await names({ active_to_millis: String(signedUpAt.Cleo) })).toEqual(['Ada']);
    expect(await names({ active_from_millis: String(signedUpAt.Cleo) })).toEqual(['Bob', 'Cleo', 'Dan', 'Eve']);
  });

  test('a user who had a session is told from one whose last activity is the sign-up', async () => {
    const activity = z.object({ display_name: z.string(), was_active: z.boolean() });
    const { json } = await server.call('GET /internal/extensions/users', { project, level: 'admin', query: {} });
    const { items } = z.object({ items: z.array(activity) }).parse(json);
    expect(items.filter(user => user.was_active).map(user => user.display_name)).toEqual(['Bob']);
  });

  test('a team keeps its members only', async () => {
    const { items } = await list({ query: 'dan' });
    const dan = items[0]?.id ?? '';
    const team = await server.call('POST /teams', {
      project,
      level: 'server',
      body: { display_name: 'Engines', creator_user_id: dan },
    });
    const { id } = z.object({ id: z.string() }).parse(team.json);
    expect(await names({ team_id: id })).toEqual(['Dan']);
    expect(await names({ team_id: id, is_verified: 'true' })).toEqual([]);
  });

  test('a page begins with a user who signed up before 1970', async () => {
    const own = await server.make.project({});
    const users = [-2_000, -1_000].map(signed_up_at_millis => ({ display_name: 'Old', signed_up_at_millis }));
    const body = { is_dry_run: false, on_conflict: 'fail', users };
    const access = { project: own, level: 'admin' } as const;
    await server.call('POST /internal/extensions/users/import', { ...access, body });
    const read = async (query: Record<string, string>) =>
      pageSchema.parse((await server.call('GET /internal/extensions/users', { ...access, query })).json);
    const first = await read({ limit: '1' });
    const second = await read({ limit: '1', cursor: first.pagination.next_cursor ?? '' });
    expect(second.items).toHaveLength(1);
    expect(second.items).not.toEqual(first.items);
  });

  test('pages follow each other, and a deleted first user of a page does not end the list', async () => {
    const first = await list({ limit: '2' });
    const cursor = first.pagination.next_cursor ?? '';
    const second = await list({ limit: '2', cursor });
    const third = await list({ limit: '2', cursor: second.pagination.next_cursor ?? '' });
    const all = [first, second, third].flatMap(page => page.items.map(user => user.display_name));
    expect(all).toEqual(['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']);
    expect(third.pagination.next_cursor).toBeNull();
    const behindCleo = cursor.replace(/\.[0-9a-f-]+$/, '.00000000-0000-4000-8000-000000000000');
    expect(await names({ cursor: behindCleo })).toEqual(['Cleo', 'Dan', 'Eve']);
  });

  test('a page reads a bounded number of users, and the next page continues after them', async () => {
    const { db } = server.deps;
    const query = { ...filteredQuery({ method: 'github' }), limit: 10 };
    const seen: (string | null)[][] = [];
    let at = query.at;
    do {
      const page = await listFilteredUsers(db, project.id, { ...query, at }, 2);
      seen.push(page.users.map(user => user.displayName));
      at = page.next;
    } while (at !== undefined);
    expect(seen).toEqual([[], ['Dan'], []]);
  });

  test('no user is left out when one that a page has read is deleted after any statement', async () => {
    const { db } = server.deps;
    const own = await server.make.project();
    for (const name of ['Fay', 'Gil', 'Hal', 'Ida', 'Jon', 'Kim']) {
      server.clock.advance(1);
      const body = { display_name: name, primary_email: `${name}@example.com`, primary_email_verified: name > 'H' };
      await server.call('POST /users', { project: own, level: 'server', body });
    }
    let deletions = 0;
    const deleting = {
      query: async <Row extends object>(statement: Statement): Promise<Row[]> => {
        const rows = await db.query<Row>(statement);
        if (deletions++ < 2) {
          await db.query(sql`
            delete from users where project_id = ${own.id} and id = (
              select id from users where project_id = ${own.id} order by signed_up_at_millis limit 1
            )
          `);
        }
        return rows;
      },
    };
    const query = { ...filteredQuery({ is_verified: true }), limit: 10 };
    const seen: (string | null)[] = [];
    let at = query.at;
    do {
      const page = await listFilteredUsers(deleting, own.id, { ...query, at }, 2);
      seen.push(...page.users.map(user => user.displayName));
      at = page.next;
    } while (at !== undefined);
    expect(seen).toEqual(['Hal', 'Ida', 'Jon', 'Kim']);
  });

  test('a project does not see the users of another one', async () => {
    const other = await server.make.project();
    const answer = await server.call('GET /internal/extensions/users', { project: other, level: 'admin' });
    expect(pageSchema.parse(answer.json).items).toEqual([]);
  });

  test('the export has one line for each matching user', async () => {
    const query = { is_anonymous: 'false' };
    const { text } = await server.call('GET /internal/extensions/users/export', { project, level: 'admin', query });
    const lines = text.trim().split('\n');
    expect(lines.map(line => JSON.parse(line).display_name)).toEqual(['Ada', 'Bob', 'Dan', 'Eve']);
  });

  test('an unknown sign-in method is refused', async () => {
    const query = { method: 'pasword' };
    const { status, json } = await server.call('GET /internal/extensions/users', { project, level: 'admin', query });
    expect([status, json]).toMatchObject([400, { code: 'SCHEMA_ERROR' }]);
  });

  test('no filter reads the table of users without an index', async () => {
    const conditions = [
      { method: 'password' },
      { method: 'github' },
      { is_verified: true, is_anonymous: false, has_second_factor: true },
      { active_from_millis: 1, active_to_millis: 2 },
      { signed_up_from_millis: 1, signed_up_to_millis: 2, desc: true },
      { team_id: '3241a285-8329-4d69-8f3d-316e08cf140c', method: 'otp' },
    ];
    const plans: string[] = [];
    await transaction(server.deps.db, async tx => {
      await tx.query(sql`set local enable_seqscan = off`);
      const explaining = {
        query: async <Row extends object>(statement: Statement): Promise<Row[]> => {
          const text = `explain ${statement.text}`;
          plans.push(JSON.stringify(await tx.query(new Statement(undefined, text, statement.values, [text], []))));
          return [];
        },
      };
      for (const query of conditions) await listFilteredUsers(explaining, project.id, filteredQuery(query));
    });
    expect(plans).toHaveLength(conditions.length);
    expect(plans.filter(plan => plan.includes('Seq Scan'))).toEqual([]);
    expect(plans[0]).toContain('users_by_age');
  });
});
