import { randomUUID } from 'node:crypto';
import { endedSessionStreamsOfProcessMax } from '@tessera/protocol';
import { requestOf } from '@tessera/testing/call';
import { compactVerify, importJWK, type JWK } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { purge } from '../../../platform/database/purge.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../../sign-in/scene.fixtures.ts';
import { sessionPurgeRules } from '../purge.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { credentialEnabled: true });
  ada = await scene.person();
});

const sessionIdOf = ({ accessToken }: Pick<Person, 'accessToken'>): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).refreshTokenId;

const feedSchema = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  iat: z.number(),
  cursor: z.string(),
  is_complete: z.boolean(),
  keep_millis: z.number(),
  session_ids: z.array(z.string()),
});
const answerSchema = z.object({ feed: z.string() });
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });

const read = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  server.call('GET /extensions/ended-sessions', { project: scene.project, level: 'server', query, headers });

/** Verifies the signature with the published keys. */
async function open(answer: unknown) {
  const { feed } = answerSchema.parse(answer);
  const params = { project_id: scene.project.id };
  const published = await server.call('GET /projects/{project_id}/.well-known/jwks.json', { params });
  const { kid } = JSON.parse(Buffer.from(feed.split('.')[0] ?? '', 'base64url').toString());
  const jwk = keySetSchema.parse(published.json).keys.find(key => key.kid === kid);
  const key = await importJWK(jwk as JWK, 'ES256');
  const { payload, protectedHeader } = await compactVerify(feed, key);
  expect(protectedHeader.typ).toBe('ended-sessions+jwt');
  return feedSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
}

async function feedAfter(cursor?: string) {
  const { status, json } = await read(cursor === undefined ? {} : { after: cursor });
  expect(status).toBe(200);
  return open(json);
}

const signOut = ({ accessToken }: Person) => scene.call('DELETE /auth/sessions/current', { accessToken });

describe('the feed of ended sessions', () => {
  test('lists a session after sign-out, signed for this project and not usable as an access token', async () => {
    await signOut(ada);
    const { json } = await read();
    const feed = await open(json);
    expect(feed).toMatchObject({
      iss: expect.stringMatching(new RegExp(`/api/v1/projects/${scene.project.id}/ended-sessions$`)),
      aud: scene.project.id,
      is_complete: true,
      session_ids: [sessionIdOf(ada)],
    });
    expect(feed.keep_millis).toBeGreaterThan(600_000);
    expect((await scene.call('GET /users/me', { accessToken: answerSchema.parse(json).feed })).status).toBe(401);
  });

  test('lists the sessions of a deleted user, and those that a password change ends', async () => {
    const eve = await scene.person();
    const other = await scene.person({ primary_email: scene.address(), primary_email_auth_enabled: true });
    await server.call('DELETE /users/{user_id}', {
      project: scene.project,
      level: 'server',
      params: { user_id: eve.id },
    });
    await server.call('PATCH /users/{user_id}', {
      project: scene.project,
      level: 'server',
      params: { user_id: other.id },
      body: { password: 'quiet lantern orbit two' },
    });
    const { session_ids } = await feedAfter();
    expect([...session_ids].sort()).toEqual([sessionIdOf(eve), sessionIdOf(other)].sort());
  });

  test('after a cursor has only the sessions that ended since', async () => {
    await signOut(ada);
    const first = await feedAfter();
    const eve = await scene.person();
    expect(await feedAfter(first.cursor)).toMatchObject({ is_complete: false, session_ids: [] });
    await signOut(eve);
    expect(await feedAfter(first.cursor)).toMatchObject({ is_complete: false, session_ids: [sessionIdOf(eve)] });
  });

  test('after a cursor has a session whose transaction was open at the time of the cursor', async () => {
    const client = new pg.Client(server.connection);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('delete from sessions where id = $1', [sessionIdOf(ada)]);
      const eve = await scene.person();
      await signOut(eve);
      const during = await feedAfter();
      expect(during.session_ids).toEqual([sessionIdOf(eve)]);
      await client.query('commit');
      expect((await feedAfter(during.cursor)).session_ids).toEqual([sessionIdOf(ada)]);
    } finally {
      await client.end();
    }
  });

  test.each(['1:999999999999999999:', '740:745:743,741'])('after the unknown cursor %s is complete', async cursor => {
    await signOut(ada);
    expect(await feedAfter(cursor)).toMatchObject({ is_complete: true, session_ids: [sessionIdOf(ada)] });
  });

  test('refuses a malformed cursor', async () => {
    expect((await read({ after: "1' or 1=1" })).status).toBe(400);
  });

  test('answers 304 to the ETag of an unchanged list, and a new list after another session has ended', async () => {
    const { cursor } = await feedAfter();
    const first = await read({ after: cursor });
    const etag = first.headers.get('etag') ?? '';
    const second = await read({ after: cursor }, { 'if-none-match': etag });
    expect([second.status, second.text]).toEqual([304, '']);
    await signOut(ada);
    expect((await read({ after: cursor }, { 'if-none-match': etag })).status).toBe(200);
  });

  test('is closed to clients', async () => {
    expect(await scene.call('GET /extensions/ended-sessions')).toMatchObject({ code: 'INSUFFICIENT_ACCESS_TYPE' });
  });

  test('has no sessions of another project', async () => {
    const other = await openScene(server, { credentialEnabled: true });
    const eve = await other.person();
    await other.call('DELETE /auth/sessions/current', { accessToken: eve.accessToken });
    expect((await feedAfter()).session_ids).toEqual([]);
  });

  test('is purged when no access token of its sessions can be valid', async () => {
    const id = randomUUID();
    await server.deps.db.query(sql`
      insert into ended_sessions (project_id, session_id, ended_at) values
        (${scene.project.id}, ${id}, now() - interval '2 days'), (${scene.project.id}, ${randomUUID()}, now())
    `);
    await purge(sessionPurgeRules, server.deps)({});
    const rows = await server.deps.db.query<{ count: number }>(sql`
      select count(*)::integer as count from ended_sessions where project_id = ${scene.project.id}
    `);
    expect(rows[0]?.count).toBe(1);
  });
});

describe('the stream of ended sessions', () => {
  const follow = (forMillis: number, { project }: Pick<Scene, 'project'> = scene) => {
    const query = { for_millis: String(forMillis) };
    const route = 'GET /extensions/ended-sessions/stream';
    return server.app(requestOf(route, { project, level: 'server', query }), {});
  };
  const dataOf = (event: string | undefined) => JSON.parse(event?.slice('data: '.length) ?? '');
  const readerOf = (response: Response) => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    return {
      /** The next event that is not a comment. */
      async next(): Promise<unknown> {
        for (;;) {
          const event = await reader?.read();
          if (event?.value !== ':\n\n') return dataOf(event?.value);
        }
      },
      cancel: () => reader?.cancel(),
    };
  };

  test('begins with all, and then has each session that ends', async () => {
    const response = await follow(60_000);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = readerOf(response);
    expect(await open(await reader.next())).toMatchObject({ is_complete: true, session_ids: [] });
    await signOut(ada);
    expect(await open(await reader.next())).toMatchObject({ is_complete: false, session_ids: [sessionIdOf(ada)] });
    await reader.cancel();
  });

  test('has the same feed for all streams of the project, and one that begins later has all before it', async () => {
    const first = readerOf(await follow(60_000));
    const eve = await scene.person();
    await signOut(eve);
    expect((await open(await first.next())).session_ids).toEqual([]);
    expect((await open(await first.next())).session_ids).toEqual([sessionIdOf(eve)]);
    const second = readerOf(await follow(60_000));
    expect(await open(await second.next())).toMatchObject({ is_complete: true, session_ids: [sessionIdOf(eve)] });
    await signOut(ada);
    const [one, other] = [await first.next(), await second.next()];
    expect(one).toEqual(other);
    expect((await open(one)).session_ids).toEqual([sessionIdOf(ada)]);
    await Promise.all([first.cancel(), second.cancel()]);
  });

  test('has no sessions of another project that has streams too', async () => {
    const other = await openScene(server, { credentialEnabled: true });
    const eve = await other.person();
    const [ours, theirs] = [readerOf(await follow(60_000)), readerOf(await follow(60_000, other))];
    await Promise.all([ours.next(), theirs.next()]);
    await other.call('DELETE /auth/sessions/current', { accessToken: eve.accessToken });
    await signOut(ada);
    const [, payload = ''] = answerSchema.parse(await theirs.next()).feed.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).session_ids).toEqual([sessionIdOf(eve)]);
    expect((await open(await ours.next())).session_ids).toEqual([sessionIdOf(ada)]);
    await Promise.all([ours.cancel(), theirs.cancel()]);
  });

  test('a reader that is slower than the polls gets each session that ended meanwhile', async () => {
    const [slow, fast] = [readerOf(await follow(60_000)), readerOf(await follow(60_000))];
    await fast.next();
    const people = [ada, await scene.person(), await scene.person()];
    for (const person of people) {
      await signOut(person);
      await fast.next();
    }
    await slow.next();
    const found: string[] = [];
    while (found.length < people.length) found.push(...(await open(await slow.next())).session_ids);
    expect(found).toEqual(people.map(sessionIdOf));
    await Promise.all([slow.cancel(), fast.cancel()]);
  });

  test('ends after the requested time', async () => {
    const text = await (await follow(0)).text();
    expect(text).toMatch(/^data: \{"feed":"[\w.-]+"\}\n\n$/);
  });

  test('is refused with 429 above 32 for a project, until one ends', async () => {
    const open = await Promise.all(Array.from({ length: 32 }, () => follow(60_000)));
    const refused = await follow(60_000);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    await Promise.all(open.map(response => response.body?.cancel()));
    const again = await follow(0);
    expect(again.status).toBe(200);
    await again.text();
  });

  test('is not used up by HEAD requests', async () => {
    const route = 'HEAD /extensions/ended-sessions/stream';
    const query = { for_millis: '60000' };
    const head = () => server.app(requestOf(route, { project: scene.project, level: 'server', query }), {});
    const answers = await Promise.all(Array.from({ length: 32 }, head));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 null']));
    const after = await follow(0);
    expect(after.status).toBe(200);
    await after.text();
  });

  test('of an owner with many projects ends for a stream of another owner when the process is full', async () => {
    const projectsOf = async (count: number) => {
      const projects = await Promise.all(Array.from({ length: count }, () => server.make.project()));
      const { userId } = await server.make.user();
      const body = { server_metadata: { managedProjectIds: projects.map(({ id }) => id) } };
      await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
      return projects;
    };
    const many = await projectsOf(endedSessionStreamsOfProcessMax / 20);
    const [largest, ...rest] = many;
    if (largest === undefined) throw new Error('no project');
    // One less in another project, so that the newest stream of this one ends.
    const [, ...streams] = [...rest, largest].flatMap(project => Array.from({ length: 20 }, () => project));
    const older = await Promise.all(streams.map(project => follow(60_000, { project })));
    const newest = await follow(60_000, { project: largest });
    expect(new Set([...older, newest].map(({ status }) => status))).toEqual(new Set([200]));
    const [other] = await projectsOf(1);
    if (other === undefined) throw new Error('no project');
    const taken = await follow(60_000, { project: other });
    const refused = await Promise.all(many.map(project => follow(60_000, { project })));
    expect([taken, ...refused].map(({ status }) => status)).toEqual([200, ...many.map(() => 429)]);
    expect(await newest.text()).toMatch(/^data: /);
    await Promise.all([...older, taken, ...refused].map(response => response.body?.cancel()));
  });
});
