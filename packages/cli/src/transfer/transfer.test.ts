import { randomBytes, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ClientApp } from '@tessera/client';
import {
  createSecrets,
  encryptClientSecret,
  encryptKeys,
  encryptSmtpPassword,
  totpSecretPurpose,
} from '@tessera/server';
import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../test/folders.ts';
import { type Person, startServer, type TestServer } from '../test/server.ts';
import { openTerminal, type Terminal } from '../test/terminal.ts';
import { readHead } from './format.ts';
import { exportedTables } from './tables.ts';
import { openVault } from './vault.ts';

const passphrase = 'a passphrase that is long';
const otherSecret = 'the secret of another installation, long enough';
const folder = temporaryFolder();

let server: TestServer;
let ada: Person;
let here: Terminal;
/** An export of a full project with secrets. */
let whole: string;
/** A database in which no import succeeds. */
let untouched: TestDatabase;
beforeAll(async () => {
  server = await startServer();
  ada = await server.person(server.demo, 'ada');
  await fill(server, ada);
  here = openTerminal({ ...at(server.database, server.secret), TESSERA_PROJECT_ID: server.demo });
  whole = await exportToFile(here, ...withPassphrase);
  untouched = await createTestDatabase();
});
afterAll(async () => {
  await untouched.drop();
  await server.stop();
});

function at(database: TestDatabase, secret: string): Record<string, string> {
  return { DATABASE_URL: database.url, TESSERA_SECRET: secret, PASSPHRASE: passphrase };
}

/** A name with separators of lines that JSON does not escape. */
const separated = 'Eve\u2028\u2029\u0085';
/** Metadata with newlines, a key order, and numbers that JSON.parse would change. */
const metadata = '{"b": 1,\n "a": [10000000000000000001, "\\u2028"],\r\n "2": {}, "1": null}';

/** Inserts at least one row into every exported table. */
async function fill({ database, demo, secret }: TestServer, user: Person): Promise<void> {
  const secrets = createSecrets(secret);
  const [teamId, otherId] = [randomUUID(), randomUUID()];
  const config = {
    signUpEnabled: true,
    credentialEnabled: true,
    magicLinkEnabled: true,
    allowLocalhost: true,
    signUpRestrictions: { allowed: ['*.shop.example'], blocked: ['eve@de.shop.example'] },
    oauthProviders: [
      { id: 'github', type: 'standard', clientId: 'c1', sealedClientSecret: encryptClientSecret('hush', secrets) },
      { id: 'google', type: 'shared' },
    ],
    emailConfig: {
      ...{
        type: 'standard',
        host: 'mail.example.com',
        port: 587,
        username: 'u',
        senderName: '"sealed',
        senderEmail: 'a@b.c',
      },
      sealedPassword: encryptSmtpPassword('mail password', secrets),
    },
  };
  const statements: [string, ...unknown[]][] = [
    ['update projects set config = $2, description = $3 where id = $1', JSON.stringify(config), 'A shop'],
    [
      `insert into users (project_id, id, display_name, client_metadata, totp_secret, signed_up_at_millis)
       values ($1, $2, $3, $4, $5, 1000)`,
      otherId,
      separated,
      metadata,
      secrets.encrypt(totpSecretPurpose, 'totp secret'),
    ],
    [
      `insert into permission_definitions (project_id, id, scope, contained_permission_ids) values ($1, 'beta', 'project', '{}')`,
    ],
    [
      `update permission_definitions set contained_permission_ids = '{$read_members}' where project_id = $1 and id = 'team_admin'`,
    ],
    [`insert into images (project_id, hash, content, stored_at_millis) values ($1, '\\x01', '\\x02', 1000)`],
    [`insert into teams (project_id, id, display_name, created_at_millis) values ($1, $2, 'Crew', 1000)`, teamId],
    [
      'insert into team_memberships (project_id, team_id, user_id, created_at_millis) values ($1, $2, $3, 1000)',
      teamId,
      user.id,
    ],
    ['update users set selected_team_id = $2 where project_id = $1 and id = $3', teamId, user.id],
    [
      `insert into team_permissions (project_id, team_id, user_id, permission_id) values ($1, $2, $3, 'team_admin')`,
      teamId,
      user.id,
    ],
    [`insert into project_permissions (project_id, user_id, permission_id) values ($1, $2, 'beta')`, user.id],
    [
      `insert into oauth_accounts (project_id, provider_id, account_id, user_id, email, created_at_millis)
       values ($1, 'github', '42', $2, null, 1000)`,
      user.id,
    ],
    [
      `insert into oauth_tokens (project_id, id, provider_id, account_id, kind, token, scopes, created_at_millis)
       values ($1, $2, 'github', '42', 'refresh', $3, '{read,"a b"}', 1000)`,
      randomUUID(),
      secrets.encrypt('provider refresh token', 'provider token'),
    ],
    [
      `insert into passkeys (project_id, credential_id, user_id, public_key, counter, transports, device_type, is_backed_up, is_user_verified, created_at_millis)
       values ($1, 'cred', $2, $3, 7, '{internal}', 'multiDevice', true, true, 1000)`,
      user.id,
      randomBytes(77),
    ],
    [
      `insert into api_keys (project_id, id, user_id, description, secret_hash, last_four, is_public, created_at_millis, scopes)
       values ($1, $2, $3, '', $4, 'abcd', false, 1000, '{read,write}')`,
      randomUUID(),
      user.id,
      randomBytes(32),
    ],
    // Not due: the server deletes due accounts every five minutes.
    [
      `insert into account_deletions (project_id, user_id, requested_at_millis, deletes_at_millis)
       values ($1, $2, 1000, 9000000000000)`,
      user.id,
    ],
    [
      'insert into notification_preferences (project_id, user_id, category_id, is_enabled) values ($1, $2, $3, false)',
      user.id,
      randomUUID(),
    ],
    [`insert into email_templates (project_id, type, subject, content) values ($1, 'magic_link', 'Hi', '{"x": [1]}')`],
    [
      `insert into webhook_endpoints (project_id, id, url, description, is_disabled, metadata, version, secrets, created_at_millis, updated_at_millis)
       values ($1, $2, 'https://hooks.example.com', '', false, '{}', 1, $3, 1000, 1000)`,
      randomUUID(),
      encryptKeys(secrets, [{ key: 'whsec_c2VjcmV0', endsAtMillis: null }]),
    ],
    [
      `insert into events (project_id, kind, user_id, data, at_millis) values ($1, 'activity', $2, '{"countryCode": "DE"}', 2000)`,
      user.id,
    ],
    [
      `insert into audit_events (project_id, at_millis, id, action, actor_type) values ($1, 3000, $2, 'project.config_changed', 'system')`,
      randomUUID(),
    ],
  ];
  for (const [text, ...values] of statements) await database.query(text, [demo, ...values]);
}

let files = 0;

async function exportToFile(terminal: Terminal, ...options: string[]): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  expect(await terminal.run('export', '--output', file, ...options)).toMatchObject({ code: 0 });
  return file;
}

const withPassphrase = ['--passphrase-env', 'PASSPHRASE'];

/** A file with decrypted secrets, for comparison. */
async function decryptFile(file: string): Promise<unknown[]> {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { vault, ...head } = readHead(first);
  const key = vault === null ? undefined : await openVault(passphrase, vault);
  let table = '';
  const shown = lines.map(text => {
    const line = JSON.parse(text);
    table = line.table ?? table;
    if (line.secrets === undefined) return text;
    const clear = Object.entries<string>(line.secrets).map(([name, encrypted]) => [
      name,
      key?.decrypt(`${table}.${name}`, encrypted).toString(),
    ]);
    return JSON.stringify({ row: line.row, secrets: Object.fromEntries(clear) });
  });
  return [head, ...shown];
}

test('an imported project has the same data as the exported one, under another id', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(at(there, otherSecret));
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

test('users sign in to an imported project with their password and API keys', async () => {
  const there = await startServer({ environment: { TESSERA_SECRET: otherSecret } });
  const owner = await there.person('internal');
  const terminal = openTerminal(at(there.database, otherSecret));
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
  const terminal = openTerminal(at(there.database, otherSecret));
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
  const file = await exportToFile(openTerminal({ ...at(database, there.secret), TESSERA_PROJECT_ID: demo }));
  const importWith = (env: Record<string, string>, id: string) =>
    openTerminal({ ...at(database, there.secret), ...env }).run('import', file, '--project-id', id, '--json');
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

test('an export without a passphrase contains no secret and lists the consequences', async () => {
  const file = join(folder, 'open.jsonl');
  const ran = await here.run('export', '--output', file);
  expect(ran).toMatchObject({ code: 0 });
  for (const what of [
    'secrets of oauthProviders.github and emailConfig',
    '1 users with an authenticator app',
    '1 webhook endpoints',
  ]) {
    expect(ran.stderr).toContain(what);
  }
  expect(readFileSync(file, 'utf8')).not.toMatch(/"secrets":|sealed[A-Z]/);

  const there = await createTestDatabase();
  const projectId = randomUUID();
  const imported = await openTerminal(at(there, otherSecret)).run('import', file, '--project-id', projectId, '--json');
  expect(imported).toMatchObject({ code: 0, json: { leftOut: expect.any(Array) } });
  const { leftOut } = imported.json as { leftOut: string[] };
  expect(leftOut.join('\n')).toContain('OAuth provider github');
  const [project] = await there.query('select config from projects where id = $1', [projectId]);
  expect(project?.config).toMatchObject({
    oauthProviders: [{ id: 'google', type: 'shared' }],
    emailConfig: { type: 'shared' },
  });
  const [endpoint] = await there.query('select secrets from webhook_endpoints where project_id = $1', [projectId]);
  const key = createSecrets(otherSecret)
    .decrypt('webhook secrets', endpoint?.secrets as Buffer)
    .toString();
  expect(key).toMatch(/whsec_/);
  expect(key).not.toContain('whsec_c2VjcmV0');
  await there.drop();
});

test('import --without-secrets leaves the secrets of the file out', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(at(there, otherSecret));
  expect(await terminal.run('import', whole)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--passphrase-env'),
  });
  const ran = await terminal.run('import', whole, '--without-secrets', '--json');
  expect(ran).toMatchObject({ code: 0 });
  expect((ran.json as { leftOut: string[] }).leftOut).toHaveLength(5);
  expect(await there.query('select id from users where totp_secret is not null')).toEqual([]);
  expect(await there.query('select id from oauth_tokens')).toEqual([]);
  await there.drop();
});

test('an import with another passphrase fails and stores nothing', async () => {
  const env = { ...at(untouched, otherSecret), PASSPHRASE: 'another passphrase' };
  expect(await openTerminal(env).run('import', whole, ...withPassphrase)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not the one'),
  });
  expect(await untouched.query('select id from projects')).toEqual([]);
});

test('an export with the wrong TESSERA_SECRET fails and leaves no file', async () => {
  const file = join(folder, 'never.jsonl');
  const terminal = openTerminal({ ...at(server.database, otherSecret), TESSERA_PROJECT_ID: server.demo });
  expect(await terminal.run('export', '--output', file, ...withPassphrase)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('TESSERA_SECRET'),
  });
  expect(readdirSync(folder).filter(name => name.startsWith('never'))).toEqual([]);
});

test('an import with the wrong TESSERA_SECRET fails and stores nothing', async () => {
  const projectId = randomUUID();
  const ran = await openTerminal(at(server.database, otherSecret)).run(
    ...['import', whole, '--project-id', projectId, ...withPassphrase],
  );
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/could not read what is imported.*TESSERA_SECRET.*Nothing was written/),
  });
  expect(await server.database.query('select id from projects where id = $1', [projectId])).toEqual([]);
});

test('an export during a change of the secret reads both secrets of the data folder', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'secret'), `${otherSecret}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, 'previous-secret'), `${server.secret}\n`, { mode: 0o600 });
  const terminal = openTerminal({
    DATABASE_URL: server.database.url,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PROJECT_ID: server.demo,
    PASSPHRASE: passphrase,
  });
  const exported = await exportToFile(terminal, ...withPassphrase);
  // Meanwhile the server may have recorded the use of a key.
  const secretsOf = async (file: string) =>
    (await decryptFile(file)).filter(line => String(line).includes('"secrets":'));
  expect(await secretsOf(exported)).toEqual(await secretsOf(whole));
});

test('an export does not write to a file or a link that another user has prepared', async () => {
  const file = join(folder, 'shared.jsonl');
  const prepared = join(folder, 'prepared');
  writeFileSync(prepared, 'unchanged', { mode: 0o666 });
  symlinkSync(prepared, `${file}.part`);
  expect(await here.run('export', '--output', file)).toMatchObject({ code: 0 });
  expect(readFileSync(prepared, 'utf8')).toBe('unchanged');
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
});

test('an export does not overwrite an existing file', async () => {
  expect(await here.run('export', '--output', whole)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  });
});

test('export writes to standard output, and import reads from standard input', async () => {
  const { stdout } = await here.run('export', ...withPassphrase);
  const there = await createTestDatabase();
  const terminal = openTerminal(at(there, otherSecret), { stdin: Readable.from([stdout]) });
  expect(await terminal.run('import', '-', ...withPassphrase)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with 2 users'),
  });
  await there.drop();
});

test('an import needs a new or empty project and never overwrites data', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(at(there, otherSecret));
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

test('an import into a project that is being deleted is refused and stores nothing', async () => {
  const there = await createTestDatabase();
  const terminal = openTerminal(at(there, otherSecret));
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

test.each<[string, (lines: string[]) => string[], string]>([
  ['without its end line', lines => lines.slice(0, -1), 'the end line is missing'],
  [
    'with a missing row',
    lines => lines.filter(line => !line.includes('"credential_id":"cred"')),
    'it has 0 of 1 rows of passkeys',
  ],
  ['with a line that is not JSON', lines => lines.with(3, '{"row":'), 'Line 4'],
  ['with lines after its end line', lines => [...lines, '{"row":{}}'], 'after the end line'],
  [
    'with an unknown table',
    lines => lines.map(line => line.replace('"table":"teams"', '"table":"crews"')),
    'newer version',
  ],
  [
    'with an unknown column',
    lines => lines.map(line => line.replace('["credential_id"', '["aura","credential_id"')),
    'newer version',
  ],
  [
    'with a value of the wrong type',
    lines => lines.map(line => line.replace('"counter":7', '"counter":"many"')),
    'the database refused a row',
  ],
  ['of another format', () => ['{"format":"zip"}'], 'not an export'],
  ['of a later version', lines => lines.with(0, '{"format":"tessera-project","version":2,"vault":null}'), 'version 2'],
  ['that is empty', () => [], 'it is empty'],
])('the import of a file %s is refused and stores nothing', async (_, damage, sentence) => {
  const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
  files += 1;
  const file = join(folder, `${files}-damaged.jsonl`);
  writeFileSync(
    file,
    damage(lines)
      .map(line => `${line}\n`)
      .join(''),
  );
  const ran = await openTerminal(at(untouched, otherSecret)).run('import', file, ...withPassphrase);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(await untouched.query('select id from projects')).toEqual([]);
});

test('a missing migration, file, project or database is named in the error', async () => {
  const there = await createTestDatabase({ isEmpty: true });
  const terminal = openTerminal(at(there, otherSecret));
  const file = await exportToFile(here);
  expect(await terminal.run('import', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tessera migrate'),
  });
  expect(await terminal.run('import', 'nowhere.jsonl')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no file'),
  });
  expect(await here.run('export', '--project', randomUUID())).toMatchObject({
    code: 1,
    stdout: expect.any(String),
    stderr: expect.stringContaining('no project'),
  });
  expect(await here.run('export', '--json')).toMatchObject({ code: 2 });
  expect(await openTerminal({}).run('export')).toMatchObject({ code: 2 });
  expect(await openTerminal({ TESSERA_PROJECT_ID: 'p' }).run('export')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_URL'),
  });
  await there.drop();
});
