import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../env.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { prepareInstallation } from './prepare.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const shared = (...ids: string[]) => ids.map(id => ({ id, type: 'shared' }));
const all = shared('github', 'google', 'microsoft', 'spotify');

async function start(environment: Record<string, string> = {}): Promise<void> {
  const { dataDir } = server.deps.settings;
  const settings = readSettings({ TESSERA_MODE: 'development', TESSERA_DATA_DIR: dataDir, ...environment });
  await prepareInstallation({ ...server.deps, settings });
}

/** The stored providers; undefined when none were ever set. */
async function providers(): Promise<unknown> {
  const [row] = await server.deps.db.query<{ providers: unknown }>(sql`
    select config::jsonb -> 'oauthProviders' as providers from projects where id = 'internal'
  `);
  return row?.providers ?? undefined;
}

async function choose(chosen: readonly object[] | undefined): Promise<void> {
  const config = chosen === undefined ? {} : { oauthProviders: chosen };
  await server.deps.db.query(sql`
    update projects set config = ((config::jsonb - 'oauthProviders') || ${JSON.stringify(config)}::jsonb)::json
    where id = 'internal'
  `);
}

describe('the shared providers of internal', () => {
  beforeEach(() => choose(undefined));

  test('are added at the first start', async () => {
    const fresh = await openTestServer();
    const answer = await fresh.call('GET /projects/current');
    await fresh.close();
    expect(answer.json).toMatchObject({ config: { enabled_oauth_providers: all.map(({ id }) => ({ id })) } });
  });

  test('are added to an older installation that has none', async () => {
    await start();
    expect(await providers()).toEqual(all);
  });

  test.each([[[]], [shared('google')]])('stay as an owner has chosen them: %j', async chosen => {
    await choose(chosen);
    await start();
    expect(await providers()).toEqual(chosen);
  });

  test('are limited in production to those with OAuth credentials', async () => {
    const production = {
      TESSERA_MODE: 'production',
      TESSERA_PUBLIC_URL: 'https://auth.example.com',
      TESSERA_INTERNAL_SIGN_UP: 'on',
    };
    await start(production);
    expect(await providers()).toBeUndefined();
    await start({ ...production, TESSERA_OAUTH_GITHUB_CLIENT_ID: 'id', TESSERA_OAUTH_GITHUB_CLIENT_SECRET: 'secret' });
    expect(await providers()).toEqual(shared('github'));
  });
});
