import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { ClientApp } from '@tessera/client';
import { createTestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../test/server.ts';
import { openTerminal } from '../test/terminal.ts';
import { exportedTables } from './tables.ts';
import {
  decryptFile,
  environmentOf,
  type FullProject,
  metadata,
  openFullProject,
  otherSecret,
  withPassphrase,
} from './transfer.fixtures.ts';

let server: FullProject['server'];
let ada: FullProject['ada'];
let here: FullProject['here'];
let whole: FullProject['whole'];
let exportToFile: FullProject['exportToFile'];
beforeAll(async () => {
  ({ server, ada, here, whole, exportToFile } = await openFullProject());
});
afterAll(async () => {
  await server.stop();
});

test('an imported project has the same data as the exported one, under another id', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(environmentOf(there, otherSecret));
  const projectId = randomUUID();
  const ran = await terminal.run('import', whole, '--project-id', projectId, ...withPassphrase, '--json');
  expect(ran).toMatchObject({ code: 0, stderr: '', json: { projectId, leftOut: [] } });
  const again = await exportToFile(terminal, '--project', projectId, ...withPassphrase);
  const [before, after] = [await decryptFile(whole), await decryptFile(again)];
  expect(after).toEqual(before);

  const { rows } = ran.json as { rows: Record<string, number> };
  expect(Object.keys(rows).toSorted()).toEqual(
    [...exportedTables.map(({ name }) => name), 'selected_teams'].toSorted(),
  );
  expect(JSON.stringify(before)).toContain('totp secret');
  expect(JSON.stringify(before)).toContain('mail password');
  expect(statSync(whole).mode & 0o777).toBe(0o600);
  await there.drop();
});

test('import and export succeed in a database with an idle_in_transaction_session_timeout of 1 ms', async () => {
  const there = await createTestDatabase();
  await there.query(`alter database ${there.connection.database} set idle_in_transaction_session_timeout = '1ms'`);
  const terminal = openTerminal(environmentOf(there, otherSecret));
  const projectId = randomUUID();
  const imported = await terminal.run('import', whole, '--project-id', projectId, ...withPassphrase, '--json');
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  const again = await exportToFile(terminal, '--project', projectId, ...withPassphrase);
  expect(await decryptFile(again)).toEqual(await decryptFile(whole));
});

test('users sign in to an imported project with their password and API keys', async () => {
  const there = await startServer({ environment: { TESSERA_SECRET: otherSecret } });
  const owner = await there.person('internal');
  const terminal = openTerminal(environmentOf(there.database, otherSecret));
  const projectId = randomUUID();
  const { publishableClientKey = '', superSecretAdminKey = '' } = server.keys[server.demo] ?? {};
  const app = new ClientApp({ tokenStore: 'memory', projectId, publishableClientKey, baseUrl: there.url });
  await expect(app.getProject()).rejects.toThrow();

  expect(
    await terminal.run('import', whole, '--project-id', projectId, '--owner', owner.email, ...withPassphrase),
  ).toMatchObject({ code: 0 });
  // The server had cached that the project does not exist.
  await expect
    .poll(() =>
      app.getProject().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await app.signInWithCredential({ email: ada.email, password: ada.password, noRedirect: true });
  const user = await app.getUser({ or: 'throw' });
  expect({ id: user.id, team: user.selectedTeam?.displayName }).toEqual({ id: ada.id, team: 'Crew' });

  const headers = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': projectId,
    'x-stack-super-secret-admin-key': superSecretAdminKey,
  };
  const project = await fetch(`${there.url}/api/v1/internal/projects/current`, { headers }).then(answer =>
    answer.json(),
  );
  expect(project).toMatchObject({
    description: 'A shop',
    config: {
      oauth_providers: [{ id: 'github', client_id: 'c1', client_secret: 'hush' }, { id: 'google' }],
      email_config: { host: 'mail.example.com', password: 'mail password' },
    },
  });
  const [owned] = await there.database.query(
    `select server_metadata -> 'managedProjectIds' as ids from users where project_id = 'internal' and id = $1`,
    [owner.id],
  );
  expect(owned?.ids).toContain(projectId);
  await there.stop();
});

test('a running server that has cached the permissions of an empty project uses the imported ones', async () => {
  const there = await startServer({ environment: { TESSERA_SECRET: otherSecret } });
  const headers = {
    'x-stack-access-type': 'server',
    'x-stack-project-id': there.demo,
    'x-stack-secret-server-key': there.keys[there.demo]?.secretServerKey ?? '',
  };
  const held = async () => {
    const answer = await fetch(`${there.url}/api/v1/team-permissions?user_id=${ada.id}&recursive=true`, { headers });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await held()).toMatchObject({ status: 200, body: { items: [] } });
  const terminal = openTerminal(environmentOf(there.database, otherSecret));
  expect(await terminal.run('import', whole, '--project-id', there.demo, ...withPassphrase)).toMatchObject({ code: 0 });
  expect(await held()).toMatchObject({ status: 200, body: { items: [{ id: '$read_members' }, { id: 'team_admin' }] } });
  await there.stop();
});

test('an import gives the URLs of stored images the address of this installation and the id of the project', async () => {
  const there = await startServer();
  const { demo, database, keys, url } = there;
  const { id: userId } = await there.person(demo);
  const linked = await there.person(demo);
  const [hash, teamId, projectId] = [randomBytes(32), randomUUID(), randomUUID()];
  const urlIn = (project: string, base = url) => `${base}/api/v1/images/${project}/${hash.toString('hex')}.webp`;
  const foreign = urlIn(demo).replace(hash.toString('hex'), randomBytes(32).toString('hex'));
  const statements: [string, ...unknown[]][] = [
    [`insert into images (project_id, hash, content, stored_at_millis) values ($1, $2, 'an image', 1000)`, hash],
    ['update users set profile_image_url = $2 where project_id = $1 and id = $3', urlIn(demo), userId],
    ['update users set profile_image_url = $2 where project_id = $1 and id = $3', foreign, linked.id],
    [
      `insert into teams (project_id, id, display_name, profile_image_url, created_at_millis) values ($1, $2, 'Crew', $3, 1000)`,
      ...[teamId, urlIn(demo)],
    ],
    [
      `insert into team_memberships (project_id, team_id, user_id, profile_image_url, created_at_millis) values ($1, $2, $3, $4, 1000)`,
      ...[teamId, userId, urlIn(demo, 'https://an-earlier-address.example.com')],
    ],
    [
      `update projects set config = jsonb_set(config::jsonb, '{branding}', jsonb_build_object('logoUrl', $2::text)) where id = $1`,
      urlIn(demo),
    ],
  ];
  for (const [text, ...values] of statements) await database.query(text, [demo, ...values]);
  const file = await exportToFile(openTerminal({ ...environmentOf(database, there.secret), TESSERA_PROJECT_ID: demo }));
  const importWith = (env: Record<string, string>, id: string) =>
    openTerminal({ ...environmentOf(database, there.secret), ...env }).run(
      'import',
      file,
      '--project-id',
      id,
      '--json',
    );
  const imageUrlsOf = async (id: string) => {
    const headers = {
      'x-stack-access-type': 'admin',
      'x-stack-project-id': id,
      'x-stack-super-secret-admin-key': keys[demo]?.superSecretAdminKey ?? '',
    };
    const get = async (path: string) => (await fetch(`${url}/api/v1${path}`, { headers })).json();
    return [
      (await get(`/users/${userId}`)).profile_image_url,
      (await get(`/users/${linked.id}`)).profile_image_url,
      (await get(`/teams/${teamId}`)).profile_image_url,
      (await get(`/team-member-profiles/${teamId}/${userId}`)).profile_image_url,
      (await get('/internal/extensions/branding')).logo_url,
    ];
  };

  const ran = await importWith({ TESSERA_PUBLIC_URL: `${url}/` }, projectId);
  expect(ran).toMatchObject({ code: 0, json: { leftOut: [] } });
  const moved = urlIn(projectId);
  expect(await imageUrlsOf(projectId)).toEqual([moved, foreign, moved, moved, moved]);
  const image = await fetch(moved);
  expect([image.status, await image.text()]).toEqual([200, 'an image']);

  const unknown = randomUUID();
  const [sentence] = ((await importWith({}, unknown)).json as { leftOut: string[] }).leftOut;
  expect(sentence).toContain('TESSERA_PUBLIC_URL is not set: 4 URLs of images');
  const old = urlIn(demo);
  expect(await imageUrlsOf(unknown)).toMatchObject([old, foreign, old, expect.stringContaining('earlier'), old]);
  await there.stop();
});

test('export and import keep the key order and the digits of metadata', async () => {
  const text = readFileSync(whole, 'utf8');
  expect(text).toContain(metadata.replaceAll(/[\r\n]/g, ' '));
});

test('an import needs a new or empty project and never overwrites data', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(environmentOf(there, otherSecret));
  const empty = randomUUID();
  await there.query(
    `insert into projects (id, display_name, config, created_at_millis) values ($1, 'Empty', '{}', 1)`,
    [empty],
  );
  await there.query(`insert into permission_definitions (project_id, id, scope) values ($1, 'old', 'team')`, [empty]);
  expect(await terminal.run('import', whole, '--project-id', empty, ...withPassphrase)).toMatchObject({ code: 0 });
  const definitions = await there.query('select id from permission_definitions where project_id = $1 order by id', [
    empty,
  ]);
  expect(definitions.map(({ id }) => id)).toEqual(['beta', 'team_admin', 'team_member']);

  const again = ['import', whole, '--project-id', empty, ...withPassphrase];
  expect(await terminal.run(...again)).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use (users)') });
  expect(await terminal.run('import', whole, '--project-id', 'internal!', ...withPassphrase)).toMatchObject({
    code: 2,
  });
  await there.drop();
});

test('an import into a project that another import is writing is refused', async () => {
  const there = await createTestDatabase();
  const importing = ['--project-id', randomUUID(), ...withPassphrase];
  const pause = { begin: () => {}, end: () => {} };
  const begun = new Promise<void>(resolve => Object.assign(pause, { begin: resolve }));
  const ended = new Promise<void>(resolve => Object.assign(pause, { end: resolve }));
  async function* slowFile() {
    pause.begin();
    await ended;
    yield readFileSync(whole);
  }
  const environment = environmentOf(there, otherSecret);
  const first = openTerminal(environment, { stdin: Readable.from(slowFile()) }).run('import', '-', ...importing);
  await begun;
  const second = await openTerminal(environment).run('import', whole, ...importing);
  pause.end();
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Another import') });
  expect(await first).toMatchObject({ code: 0 });
  await there.drop();
});

test('an import into a project that is being deleted is refused and stores nothing', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(environmentOf(there, otherSecret));
  const deleted = randomUUID();
  await there.query(
    `insert into projects (id, display_name, config, created_at_millis, deleted_at_millis) values ($1, 'Shop', '{}', 1, 2)`,
    [deleted],
  );
  expect(await terminal.run('import', whole, '--project-id', deleted, ...withPassphrase)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is being deleted'),
  });
  expect(await there.query('select id from users where project_id = $1', [deleted])).toEqual([]);
  await there.drop();
});

test('a second copy in the same database is refused unless its API keys are left out', async () => {
  const refused = await here.run('import', whole, ...withPassphrase);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--without-api-keys') });
  const copied = await here.run('import', whole, '--without-api-keys', ...withPassphrase, '--json');
  expect(copied).toMatchObject({ code: 0 });
  const { projectId } = copied.json as { projectId: string };
  const keys = await server.database.query('select id from api_keys where project_id = $1', [projectId]);
  expect(keys).toEqual([]);
});
