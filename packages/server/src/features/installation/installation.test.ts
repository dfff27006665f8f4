import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallOptions, callApp, type ProjectAccess } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../compose.ts';
import { readSettings } from '../../env.ts';
import { installationSecret, type KeyFile } from '../../platform/crypto/key-file.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { createProjects } from '../projects/index.ts';
import { type Prepared, prepareInstallation } from './prepare.ts';

/** Deletes the installation that the harness made, and creates an empty data folder. */
let server: TestServer;
let dataDir: string;
beforeEach(async () => {
  server = await openTestServer();
  await server.deps.db.query(sql`delete from projects`);
  await server.deps.db.query(sql`update installation set demo_project_id = null, owner_user_id = null`);
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-installation-'));
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ownKeys = (version: string) => ({
  TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: `publishable ${version}`,
  TESSERA_INTERNAL_SECRET_SERVER_KEY: `secret ${version}`,
  TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: `super ${version}`,
});

function start(environment: Record<string, string> = {}): Promise<Prepared> {
  const settings = readSettings({ TESSERA_MODE: 'development', TESSERA_DATA_DIR: dataDir, ...environment });
  return prepareInstallation({ ...server.deps, settings });
}

const keyFile = async () => JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as KeyFile;
const projects = () =>
  server.deps.db.query<{ id: string }>(
    sql`select id, display_name as "displayName" from projects order by display_name desc`,
  );

/** Calls a process with an empty cache. */
function ask(project: ProjectAccess, options: CallOptions = {}) {
  const app = createApp({ ...server.deps, projects: createProjects(server.deps) });
  return callApp(app, 'GET /projects/current', { project, ...options });
}

const generated = (displayName: string) => ({
  displayName,
  publishableClientKey: expect.stringMatching(/^pck_[0-9a-z]{45}$/),
  secretServerKey: expect.stringMatching(/^ssk_[0-9a-z]{45}$/),
  superSecretAdminKey: expect.stringMatching(/^sak_[0-9a-z]{45}$/),
});

describe('the first start', () => {
  test('creates internal and Demo, and a key file that only its owner can read', async () => {
    await start();
    const [internal, demo] = await projects();
    expect([internal, demo]).toEqual([
      { id: 'internal', displayName: 'Tessera' },
      { id: anId, displayName: 'Demo' },
    ]);
    const demoId = demo?.id ?? '';
    expect(await keyFile()).toEqual({
      projects: { internal: generated('Tessera'), [demoId]: generated('Demo') },
      demo: demoId,
      internal: 'internal',
      url: 'http://localhost:4280',
    });
    expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
  });

  test('creates Demo with all features on, and a later start keeps changes of its settings', async () => {
    await start();
    const { demo = '', projects } = await keyFile();
    const project = { id: demo, ...projects[demo] } as ProjectAccess;
    expect((await ask(project)).json).toMatchObject({
      config: {
        credential_enabled: true,
        magic_link_enabled: true,
        passkey_enabled: true,
        client_team_creation_enabled: true,
        client_user_deletion_enabled: true,
        allow_user_api_keys: true,
        allow_team_api_keys: true,
        enabled_oauth_providers: [{ id: 'github' }, { id: 'google' }],
      },
    });

    await server.deps.db.query(
      sql`update projects set config = jsonb_set(config::jsonb, '{magicLinkEnabled}', 'false')::json where id = ${demo}`,
    );
    await start();
    expect((await ask(project)).json).toMatchObject({ config: { magic_link_enabled: false } });
  });

  test('stores no key in the database', async () => {
    await start();
    const rows = await server.deps.db.query(sql`select row_to_json(s)::text as row from api_key_sets s`);
    const keys = Object.values((await keyFile()).projects).flatMap(
      ({ publishableClientKey, secretServerKey, superSecretAdminKey }) => [
        publishableClientKey,
        secretServerKey,
        superSecretAdminKey,
      ],
    );
    // Of `internal` and `Demo`.
    expect([rows.length, keys.length]).toEqual([2, 6]);
    for (const key of keys) expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('takes the name of internal from the environment', async () => {
    await start({ TESSERA_INTERNAL_PROJECT_NAME: 'Our people' });
    expect(await projects()).toContainEqual({ id: 'internal', displayName: 'Our people' });
    await start({ TESSERA_INTERNAL_PROJECT_NAME: 'Our own people' });
    expect(await projects()).toContainEqual({ id: 'internal', displayName: 'Our own people' });
  });

  test('trusts the dashboard at the public URL, at a later start too, and keeps the domains of the owners', async () => {
    const domains = async () =>
      (await server.deps.projects.find('internal'))?.project.config.domains.map(({ domain }) => domain);
    await start();
    expect(await domains()).toEqual([]);
    const publicUrl = 'https://auth.example.com';
    await start({ TESSERA_PUBLIC_URL: publicUrl });
    await start({ TESSERA_PUBLIC_URL: publicUrl });
    server.deps.projects.forget('internal');
    expect(await domains()).toEqual([publicUrl]);
  });

  test('control 98: creates no Demo in production', async () => {
    await start({ TESSERA_MODE: 'production' });
    expect(await projects()).toEqual([{ id: 'internal', displayName: 'Tessera' }]);
    expect(await keyFile()).toEqual({
      projects: { internal: generated('Tessera') },
      internal: 'internal',
      url: 'http://localhost:4280',
    });
  });

  test('writes no key file in production with keys in the environment', async () => {
    expect(await start({ TESSERA_MODE: 'production', ...ownKeys('1') })).toMatchObject({ keyFile: undefined });
    await expect(keyFile()).rejects.toThrow('ENOENT');
  });

  test('of several concurrent processes creates one internal project and one Demo', async () => {
    await Promise.all(Array.from({ length: 6 }, () => start()));
    expect(await projects()).toHaveLength(2);
    const { demo } = await keyFile();
    expect(await projects()).toContainEqual({ id: demo, displayName: 'Demo' });
  });
});

describe('a second start', () => {
  test('changes nothing', async () => {
    await start();
    const everything = async () => ({
      keys: await keyFile(),
      // A write puts another file in its place.
      file: (await stat(join(dataDir, 'keys.json'))).ino,
      sets: await server.deps.db.query(sql`select row_to_json(s)::text as row from api_key_sets s order by id`),
      projects: await server.deps.db.query(sql`select row_to_json(p)::text as row from projects p order by id`),
    });
    const before = await everything();
    server.clock.advance(1000);
    await start();
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['is lost', () => rm(join(dataDir, 'keys.json'))],
    ['is damaged', () => writeFile(join(dataDir, 'keys.json'), '{"projects":')],
    [
      'belongs to another database',
      () => writeFile(join(dataDir, 'keys.json'), '{"projects":{},"internal":"internal","url":"x"}'),
    ],
  ])('generates new keys when the key file %s', async (_, happen) => {
    await start();
    const before = await keyFile();
    await happen();
    await start();
    const after = await keyFile();
    expect(after.demo).toBe(before.demo);
    expect(Object.keys(after.projects).sort()).toEqual(Object.keys(before.projects).sort());
    expect(after.projects.internal?.secretServerKey).not.toBe(before.projects.internal?.secretServerKey);
    expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
  });

  test('generates new keys when those of the file were revoked', async () => {
    await start();
    const before = await keyFile();
    await server.deps.db.query(
      sql`update api_key_sets set manually_revoked_at_millis = 1 where project_id = 'internal'`,
    );
    await start();
    const { internal, ...others } = (await keyFile()).projects;
    expect(internal).not.toEqual(before.projects.internal);
    expect(others).toEqual({ [before.demo ?? '']: before.projects[before.demo ?? ''] });
  });

  const additional = 'an additional key set of internal was generated';
  const production = { TESSERA_MODE: 'production' };

  test('without the data folder of the first one warns in production of the additional keys of internal', async () => {
    await start(production);
    await start(production);
    expect(server.logged()).not.toContain(additional);
    await rm(join(dataDir, 'keys.json'));
    await start(production);
    expect(server.logged()).toContain(additional);
    expect(server.logged()).not.toMatch(/[ps][cas]k_/);
  });

  test.each([
    ['in development', () => start(), {}],
    ['when the earlier keys came from the environment', () => start({ ...production, ...ownKeys('1') }), production],
    [
      'when the earlier keys are revoked',
      async () => {
        await start(production);
        await server.deps.db.query(sql`update api_key_sets set manually_revoked_at_millis = 1`);
      },
      production,
    ],
  ])('does not warn of additional keys %s', async (_, before, environment) => {
    await before();
    await rm(join(dataDir, 'keys.json'), { force: true });
    await start(environment);
    expect((await keyFile()).projects.internal).toEqual(generated('Tessera'));
    expect(server.logged()).not.toContain(additional);
  });

  test('keeps a damaged key file under another name and logs a warning, because it may be the only copy of the keys', async () => {
    await start();
    const before = JSON.stringify(await keyFile());
    await writeFile(join(dataDir, 'keys.json'), `${before},`);
    await start();
    expect((await keyFile()).projects.internal).toEqual(generated('Tessera'));
    expect(await readFile(join(dataDir, 'keys.json.damaged'), 'utf8')).toBe(`${before},`);
    expect(server.logged()).toContain('The earlier keys stay valid');
    expect(server.logged()).not.toContain('ssk_');
  });

  test('creates a new Demo when it was deleted', async () => {
    await start();
    const before = await keyFile();
    await server.deps.db.query(sql`delete from projects where id = ${before.demo}`);
    await start();
    const after = await keyFile();
    expect(after.demo).not.toBe(before.demo);
    expect(Object.keys(after.projects).sort()).toEqual(['internal', after.demo].sort());
  });

  test('updates the URL in the key file when the public URL changed', async () => {
    await start();
    const before = await keyFile();
    await start({ TESSERA_PUBLIC_URL: 'http://localhost:9999' });
    expect(await keyFile()).toEqual({ ...before, url: 'http://localhost:9999' });
  });
});

describe('keys in the environment', () => {
  const accessOf = (version: string): ProjectAccess => ({
    id: 'internal',
    publishableClientKey: `publishable ${version}`,
    secretServerKey: `secret ${version}`,
    superSecretAdminKey: `super ${version}`,
  });
  const statuses = async (version: string) =>
    Promise.all(
      (['client', 'server', 'admin'] as const).map(async level => (await ask(accessOf(version), { level })).status),
    );

  test('authenticate for internal, in any format', async () => {
    await start(ownKeys('1'));
    expect(await statuses('1')).toEqual([200, 200, 200]);
  });

  test('replace the previous keys, which are refused', async () => {
    await start(ownKeys('1'));
    await start(ownKeys('2'));
    expect(await statuses('1')).toEqual([401, 401, 401]);
    expect(await statuses('2')).toEqual([200, 200, 200]);
  });

  test.each([
    ['publishable', 'TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY', [401, 200, 200], 'client'],
    ['secret', 'TESSERA_INTERNAL_SECRET_SERVER_KEY', [200, 401, 200], 'server'],
    ['super secret', 'TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY', [200, 200, 401], 'admin'],
  ] as const)('of which one is replaced, the %s one, end that one', async (_, name, oldOnes, level) => {
    await start(ownKeys('1'));
    await start({ ...ownKeys('1'), [name]: ownKeys('2')[name] });
    expect(await statuses('1')).toEqual(oldOnes);
    expect((await ask(accessOf('2'), { level })).status).toBe(200);
  });

  test('are accepted again when they are restored after a replacement', async () => {
    await start(ownKeys('1'));
    await start(ownKeys('2'));
    await start(ownKeys('1'));
    expect(await statuses('1')).toEqual([200, 200, 200]);
    expect(await statuses('2')).toEqual([401, 401, 401]);
  });

  test('are refused when they are removed, and the key file has generated keys', async () => {
    await start(ownKeys('1'));
    expect((await keyFile()).projects).not.toHaveProperty('internal');
    await start();
    expect(await statuses('1')).toEqual([401, 401, 401]);
    const { internal } = (await keyFile()).projects;
    expect((await ask({ id: 'internal', ...(internal as Omit<ProjectAccess, 'id'>) })).status).toBe(200);
  });

  test('replace the generated keys, and the key file no longer contains them', async () => {
    await start();
    const { internal, ...others } = (await keyFile()).projects;
    const generatedOnes = { id: 'internal', ...(internal as Omit<ProjectAccess, 'id'>) };
    expect((await ask(generatedOnes)).status).toBe(200);
    await start(ownKeys('1'));
    expect((await ask(generatedOnes)).status).toBe(401);
    expect((await keyFile()).projects).toEqual(others);
    await start({ TESSERA_MODE: 'production', ...ownKeys('1') });
    expect((await keyFile()).projects).toEqual({});
  });

  test('do not revoke key sets that owners created', async () => {
    await start(ownKeys('1'));
    const body = {
      description: 'Of the dashboard',
      expires_at_millis: server.clock.now() + 1_000_000,
      has_publishable_client_key: true,
      has_secret_server_key: false,
      has_super_secret_admin_key: false,
    };
    const app = createApp({ ...server.deps, projects: createProjects(server.deps) });
    const project = accessOf('1');
    const made = await callApp(app, 'POST /internal/api-keys', { project, level: 'admin', body });
    const publishableClientKey = (made.json as { publishable_client_key: string }).publishable_client_key;
    await start();
    await start(ownKeys('2'));
    expect((await ask({ ...accessOf('2'), publishableClientKey })).status).toBe(200);
  });

  test('are recorded in the audit log when they are revoked', async () => {
    await start(ownKeys('1'));
    await start(ownKeys('2'));
    const events = await server.deps.db.query(sql`
      select actor_type as "actorType", subject_type as "subjectType" from audit_events
      where project_id = 'internal' and action = 'key_set.revoked'
    `);
    expect(events).toEqual([{ actorType: 'system', subjectType: 'key_set' }]);
  });

  test('create one key set when several processes start concurrently', async () => {
    await Promise.all(Array.from({ length: 6 }, () => start(ownKeys('1'))));
    const sets = await server.deps.db.query(sql`select id from api_key_sets where project_id = 'internal'`);
    expect(sets).toHaveLength(1);
  });
});

describe('sign-up on internal', () => {
  test.each([
    ['development', {}, true],
    ['development', { TESSERA_INTERNAL_SIGN_UP: 'off' }, false],
    ['production', {}, false],
    ['production', { TESSERA_INTERNAL_SIGN_UP: 'on' }, true],
  ])('in %s with %j is allowed: %s', async (mode, environment, isAllowed) => {
    await start({ TESSERA_MODE: mode, ...ownKeys('1'), ...environment });
    const [row] = await server.deps.db.query<{ config: { signUpEnabled: boolean } }>(
      sql`select config from projects where id = 'internal'`,
    );
    expect(row?.config.signUpEnabled).toBe(isAllowed);
  });

  test('follows the environment at the next start', async () => {
    await start({ TESSERA_MODE: 'production', TESSERA_INTERNAL_SIGN_UP: 'on' });
    await start({ TESSERA_MODE: 'production' });
    const [row] = await server.deps.db.query(sql`select config->>'signUpEnabled' as on from projects`);
    expect(row).toEqual({ on: 'false' });
  });
});

describe('control 98: the secret of the installation', () => {
  const make = () => crypto.randomUUID();

  test('is generated once, and only its owner can read it', async () => {
    const secret = await installationSecret(dataDir, make);
    expect(await installationSecret(dataDir, make)).toBe(secret);
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test('is the same for several processes that start concurrently', async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, () => installationSecret(dataDir, make)));
    expect(new Set(secrets).size).toBe(1);
  });
});

test('the log contains no key', async () => {
  await start();
  const { internal } = (await keyFile()).projects;
  if (internal === undefined) throw new Error('the file has no keys of internal');
  expect((await ask({ id: 'internal', ...internal })).status).toBe(200);
  expect(server.logged()).not.toMatch(/[ps][sca]k_[0-9a-z]{45}/);
});
