import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allWork } from '../../compose.ts';
import { sql } from '../../platform/database/sql.ts';
import type { TestServer } from '../../test/harness.ts';
import { newGithubUser, openGithubServer, openOAuthScene } from './oauth.fixtures.ts';
import { insertProviderTest } from './provider-tests/store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openGithubServer();
});
afterAll(() => server.close());

const dayMs = 24 * 3600 * 1000;

test('control 104: results of provider tests are deleted after ten minutes', async () => {
  const { id } = await server.make.project();
  const at = { providerId: 'github', testerId: null, createdAtMillis: server.clock.now() };
  await insertProviderTest(server.deps.db, id, { id: randomUUID(), outcome: Buffer.from('x'), ...at });
  const count = async () => {
    await allWork(server.deps).tasks.purge?.({});
    return (await server.deps.db.query(sql`select id from oauth_provider_tests`)).length;
  };
  server.clock.advance(10 * 60_000 - 1);
  expect(await count()).toBe(1);
  server.clock.advance(1);
  expect(await count()).toBe(0);
});

async function left(): Promise<unknown> {
  await allWork(server.deps).tasks.purge?.({});
  const [row] = await server.deps.db.query(sql`
    select (select count(*) from oauth_flows) as flows, (select count(*) from oauth_authorization_codes) as codes
  `);
  return row;
}

test('control 104: flows and authorization codes are deleted after a day', async () => {
  const scene = await openOAuthScene(server);
  await scene.startFlow();
  await scene.signIn(newGithubUser());
  server.clock.advance(dayMs - 1);
  expect(await left()).toEqual({ flows: 1, codes: 1 });
  server.clock.advance(1);
  expect(await left()).toEqual({ flows: 0, codes: 0 });
});
