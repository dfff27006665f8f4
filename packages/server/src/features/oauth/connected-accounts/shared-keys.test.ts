import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { createFakeProviders, newGithubUser, openOAuthScene, playGithub } from '../oauth.fixtures.ts';

const fakes = createFakeProviders();
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({
    fetch: fakes.fetch,
    environment: {
      TESSERA_OAUTH_GITHUB_CLIENT_ID: 'client of the installation',
      TESSERA_OAUTH_GITHUB_CLIENT_SECRET: 'secret of the installation',
    },
  });
});
afterAll(() => server.close());

test('control 57: a token that a provider issued to shared keys is not stored, so keys of the project do not make it readable', async () => {
  playGithub(fakes);
  const scene = await openOAuthScene(server, { oauthProviders: [{ id: 'github', type: 'shared' }] });
  const { user } = await scene.signIn(newGithubUser(), { provider_scope: 'repo' });
  const stored = sql`select token from oauth_tokens where project_id = ${scene.project.id}`;
  expect(await server.deps.db.query(stored)).toEqual([]);

  const own = { id: 'github', type: 'standard', client_id: 'own', client_secret: 'own' };
  const changed = await scene.call('PATCH /internal/projects/current', {
    level: 'admin',
    body: { config: { oauth_providers: [own] } },
  });
  expect(changed).toMatchObject({ status: 200 });
  const asked = await scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
    level: 'server',
    params: { user_id: user.id, provider_id: 'github' },
    body: { scope: 'repo' },
  });
  expect(asked).toEqual({ status: 400, code: 'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE' });
});
