import { metadataMaxBytes, type Route } from '@tessera/protocol';
import { type Answered, type ProjectAccess, readAnswer } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';

let server: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  ada = await server.make.user({ project });
});
afterAll(() => server.close());

const tiers = ['client_metadata', 'client_read_only_metadata', 'server_metadata'] as const;

/** The response as text: parsed objects with special keys such as `__proto__` would lose their key order. */
async function write(json: string): Promise<Answered> {
  return readAnswer(
    await server.app(
      new Request('http://localhost:4280/api/v1/users/me', {
        method: 'PATCH',
        headers: {
          'content-type': 'application/json',
          'x-stack-access-type': 'server',
          'x-stack-project-id': project.id,
          'x-stack-secret-server-key': project.secretServerKey,
          'x-stack-access-token': ada.accessToken,
        },
        body: json,
      }),
    ),
  );
}

describe.each(tiers)('the metadata tier %s', tier => {
  test.each([
    'null',
    'true',
    '0',
    '-1.5',
    '1e+21',
    '""',
    '"text"',
    '[]',
    '{}',
    '[null,[1,"2"],{"a":[]}]',
    '{"b":1,"a":{"d":1,"c":2}}',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    '{"toString":null,"hasOwnProperty":1}',
    '{"1":"text","ä\\n":"😀"}',
    '"true"',
    '"2026-01-01T00:00:00Z"',
  ])('control 81: stores and returns %s unchanged', async value => {
    const { text, status } = await write(`{"${tier}":${value}}`);
    expect(status).toBe(200);
    expect(text).toContain(`"${tier}":${value}`);
    const read = await server.call('GET /users/me', { project, level: 'server', accessToken: ada.accessToken });
    expect(read.text).toContain(`"${tier}":${value}`);
    expect('isAdmin' in {}).toBe(false);
  });

  test.each(['1e400', '-1e400', '{"a":[1,{"b":1e400}]}'])('refuses %s, which no double represents', async value => {
    await write(`{"${tier}":{"kept":1}}`);
    const { status, json } = await write(`{"${tier}":${value}}`);
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'SCHEMA_ERROR' } });
    const read = await server.call('GET /users/me', { project, level: 'server', accessToken: ada.accessToken });
    expect(read.json).toMatchObject({ [tier]: { kept: 1 } });
  });

  test('an update replaces the whole value, and other updates leave it unchanged', async () => {
    await write(`{"${tier}":{"a":{"b":1},"c":2}}`);
    await write(`{"${tier}":{"a":{"d":3}}}`);
    const { json } = await write('{"display_name":"Ada"}');
    expect(json).toMatchObject({ [tier]: { a: { d: 3 } } });
    expect((json as Record<string, object>)[tier]).toEqual({ a: { d: 3 } });
  });

  test('control 89: a value above the size limit is refused', async () => {
    const fits = 'x'.repeat(metadataMaxBytes - 2);
    expect((await write(`{"${tier}":"${fits}"}`)).status).toBe(200);
    expect(outcome(await write(`{"${tier}":"${fits}x"}`))).toEqual({ status: 400, says: 'a sentence' });
    expect((await write(`{"${tier}":null}`)).json).toMatchObject({ [tier]: null });
  });
});

describe('control 89: the metadata tiers', () => {
  test('a client writes its own tier only, and reads two', async () => {
    const { accessToken } = ada;
    await write('{"client_metadata":1,"client_read_only_metadata":2,"server_metadata":"for servers only"}');
    const answer = await server.call('PATCH /users/me', {
      project,
      accessToken,
      body: { client_metadata: { mine: true } },
    });
    expect(answer.json).toMatchObject({ client_metadata: { mine: true }, client_read_only_metadata: 2 });
    for (const tier of ['client_read_only_metadata', 'server_metadata']) {
      const refused = await server.call('PATCH /users/me', { project, accessToken, body: { [tier]: {} } });
      expect(outcome(refused)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
  });

  test('no response to a client contains the server tier', async () => {
    await write('{"server_metadata":{"canary":"a canary of the server tier"}}');
    const { accessToken, refreshToken, email, password } = ada;
    const options = { project, accessToken };
    const answers = [
      await server.call('GET /users/me', options),
      await server.call('PATCH /users/me', { ...options, body: { display_name: 'Ada' } }),
      await server.call('PATCH /users/me', { ...options, body: { server_metadata: null } }),
      await server.call('GET /projects/current', options),
      await server.call('GET /', options),
      await server.call('POST /auth/password/sign-in', { project, body: { email, password } }),
      await server.call('POST /auth/sessions/current/refresh', { project, refreshToken }),
      await server.call('DELETE /users/me', options),
      await server.call('DELETE /auth/sessions/current', options),
    ];
    for (const { text, headers } of answers) {
      expect(text).not.toMatch(/canary|server_metadata":/);
      expect(JSON.stringify([...headers])).not.toContain('canary');
    }
    expect(server.logged()).not.toContain('canary');
  });

  test('managedProjectIds has no effect outside project internal', async () => {
    await write(`{"server_metadata":{"managedProjectIds":["${project.id}","internal"]}}`);
    for (const id of [project.id, 'internal']) {
      const answer = await server.call('GET /users/me', {
        level: null,
        headers: {
          'x-stack-access-type': 'admin',
          'x-stack-project-id': id,
          'x-stack-admin-access-token': ada.accessToken,
        },
      });
      expect(outcome(answer)).toEqual({ status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
    }
  });
});

test.each<[string, Route]>([
  ['user', 'PATCH /users/me'],
  ['team', 'PATCH /teams/{team_id}'],
])('control 104: a change of a %s by a client counts once more for each 32 KB that webhooks keep', async (_, route) => {
  const where = await server.make.project({ clientTeamCreationEnabled: true });
  const { accessToken, userId } = await server.make.user({ project: where });
  const asUser = { project: where, accessToken };
  const team = await server.call('POST /teams', { ...asUser, body: { display_name: 'T', creator_user_id: 'me' } });
  const teamParams = { team_id: (team.json as { id: string }).id };
  const params: Record<string, string> = route === 'PATCH /users/me' ? {} : teamParams;
  const change = async (body: object) => {
    await server.deps.db.query(sql`delete from rate_limits`);
    expect((await server.call(route, { ...asUser, params, body })).status).toBe(200);
    const key = `clientWritesPerUser:${where.id}:${userId}`;
    return server.deps.db.query(sql`select points from rate_limits where key = ${key}`);
  };
  expect(await change({ client_metadata: 'x'.repeat(100_000) })).toEqual([{ points: 1 }]);
  expect(await change({ display_name: 'New' })).toEqual([{ points: 1 + 3 }]);
  expect(await change({ client_metadata: null })).toEqual([{ points: 1 + 3 }]);
  expect(await change({ display_name: 'Newer' })).toEqual([{ points: 1 }]);
});
