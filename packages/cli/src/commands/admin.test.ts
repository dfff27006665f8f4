import { createServer } from 'node:http';
import { AdminApp, ClientApp } from '@tessera/client';
import { closedPort } from '@tessera/testing/free-port';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../test/server.ts';
import { openTerminal } from '../test/terminal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** A terminal in a repository whose development server has written its keys. */
const inRepository = (given: Parameters<typeof openTerminal>[1] = {}) =>
  openTerminal({ TESSERA_DATA_DIR: server.dataDir }, given);

/** The demo project with its admin key. */
function openDemo() {
  const { publishableClientKey = '', secretServerKey = '', superSecretAdminKey = '' } = server.keys[server.demo] ?? {};
  const keys = { publishableClientKey, secretServerKey, superSecretAdminKey };
  return new AdminApp({ tokenStore: null, projectId: server.demo, baseUrl: server.url, ...keys });
}

const anId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('users list pages through, searches and shows users', async () => {
  const terminal = inRepository();
  const ada = await server.person(server.demo, 'ada');
  const eve = await server.person(server.demo, 'eve');
  const first = await terminal.run('users', 'list', '--limit', '1', '--newest-first', '--json');
  expect(first).toMatchObject({ code: 0, stderr: '', json: { items: [{ id: eve.id }], nextCursor: ada.id } });
  const next = await terminal.run('users', 'list', '--limit', '1', '--newest-first', '--cursor', ada.id);
  expect(next.stdout).toContain(ada.email);
  expect(next.stdout).not.toContain(eve.email);
  const found = await terminal.run('users', 'list', '--query', ada.email, '--json');
  expect(found.json).toMatchObject({ items: [{ id: ada.id }], nextCursor: null });
  const shown = { id: ada.id, primaryEmail: ada.email, hasPassword: true, signedUpAt: aTime };
  expect((await terminal.run('users', 'show', ada.email.toUpperCase(), '--json')).json).toMatchObject(shown);
  expect((await terminal.run('users', 'show', ada.id)).stdout).toContain(`${ada.email} (not verified)`);
});

test('users show finds the user of an address that is a part of many others', async () => {
  const app = openDemo();
  for (let index = 0; index < 101; index++) await app.createUser({ primaryEmail: `${index}an@mail.example.com` });
  const { id } = await app.createUser({ primaryEmail: 'an@mail.example.com' });
  const shown = await inRepository().run('users', 'show', 'an@mail.example.com', '--json');
  expect(shown).toMatchObject({ code: 0, stderr: '', json: { id } });
});

test('users show refuses an address of several users, however many others contain it', async () => {
  const app = openDemo();
  const twins = { primaryEmail: 'twin@mail.example.com' };
  await app.createUser(twins);
  for (let index = 0; index < 101; index++) await app.createUser({ primaryEmail: `${index}twin@mail.example.com` });
  await app.createUser(twins);
  const shown = await inRepository().run('users', 'show', 'twin@mail.example.com');
  expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('Several users have the address') });
});

test('users create says when the new user cannot sign in yet', async () => {
  const terminal = inRepository();
  const says = 'This user cannot sign in yet';
  expect((await terminal.run('users', 'create', 'new@example.com')).stderr).toContain(says);
  expect((await terminal.run('users', 'create', 'mailbox@example.com', '--verified')).stderr).not.toContain(says);
  expect((await terminal.run('users', 'create', '--name', 'Eve')).stderr).not.toContain(says);
});

test('users create says how a user with a verified address signs in first', async () => {
  const terminal = inRepository();
  const verified = await terminal.run('users', 'create', 'code@example.com', '--verified');
  expect(verified.stdout).toMatch(/Signs in with +nothing yet\n/);
  expect(verified.stderr).toContain('The first sign-in is a code by email, where the project has that method.');
});

test('users create makes a user who can sign in with a password from a variable', async () => {
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir, PASSWORD_OF_BOB: 'correct horse battery' });
  const create = ['users', 'create', 'bob@example.com', '--name', 'Bob', '--verified'];
  const created = await terminal.run(...create, '--password-env', 'PASSWORD_OF_BOB', '--json');
  expect(created).toEqual({
    code: 0,
    stdout: expect.any(String),
    stderr: '',
    json: {
      id: anId,
      displayName: 'Bob',
      primaryEmail: 'bob@example.com',
      primaryEmailVerified: true,
      profileImageUrl: null,
      signedUpAt: aTime,
      lastActiveAt: aTime,
      hasPassword: true,
      otpAuthEnabled: false,
      passkeyAuthEnabled: false,
      isMultiFactorRequired: false,
      isAnonymous: false,
      oauthProviders: [],
      clientMetadata: null,
      clientReadOnlyMetadata: null,
      serverMetadata: null,
    },
  });
  const { publishableClientKey } = server.keys[server.demo] ?? {};
  const app = new ClientApp({
    tokenStore: 'memory',
    projectId: server.demo,
    publishableClientKey: publishableClientKey ?? '',
    baseUrl: server.url,
  });
  await app.signInWithCredential({ email: 'bob@example.com', password: 'correct horse battery', noRedirect: true });
  expect((await app.getUser())?.displayName).toBe('Bob');
  expect(await terminal.run(...create)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('(USER_EMAIL_ALREADY_EXISTS)'),
  });
});

test('projects update changes domains, sign-in methods, providers and the mail server, and keeps the rest', async () => {
  const secrets = { OWN_SECRET: 'client-secret', SMTP_URL: 'smtp://shop:pass%40word@mail.example.com:2525' };
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir, ...secrets });
  const update = (...options: string[]) => terminal.run('projects', 'update', ...options, '--json');
  const before = (await terminal.run('projects', 'show', '--json')).json as Record<string, unknown>;

  await update('--add-domain', 'https://app.example.com/', '--passkey', 'off', '--description', 'A shop');
  const own = ['--client-id', 'own-id', '--client-secret-env', 'OWN_SECRET'];
  const changed = await update('--add-provider', 'gitlab', ...own, '--remove-provider', 'google');
  expect(changed.json).toMatchObject({
    displayName: before.displayName,
    description: 'A shop',
    config: {
      passkeyEnabled: false,
      domains: [{ domain: 'https://app.example.com', handlerPath: '/handler' }],
      oauthProviders: [
        { id: 'github', type: 'shared' },
        { id: 'gitlab', type: 'standard', clientId: 'own-id' },
      ],
    },
  });
  expect(changed.stdout).not.toContain('client-secret');

  const mailed = await update('--smtp-url-env', 'SMTP_URL', '--mail-from', 'Shop <hello@example.com>');
  expect(mailed.json).toMatchObject({
    config: {
      emailConfig: {
        type: 'standard',
        host: 'mail.example.com',
        port: 2525,
        senderName: 'Shop',
        senderEmail: 'hello@example.com',
      },
    },
  });
  expect(mailed.stdout).not.toContain('pass@word');
  const restored = await update('--remove-domain', 'https://app.example.com', '--passkey', 'on');
  expect(restored.json).toMatchObject({ config: { domains: [], passkeyEnabled: true } });
});

test('projects update --add-domain keeps the handler path of a domain that is trusted already', async () => {
  const domains = [{ domain: 'https://app.example.com', handlerPath: '/auth' }];
  await (await openDemo().getProject()).update({ config: { domains } });
  const update = (...options: string[]) => inRepository().run('projects', 'update', ...options, '--json');
  expect((await update('--add-domain', 'https://app.example.com/')).json).toMatchObject({ config: { domains } });
  expect((await update('--remove-domain', 'https://app.example.com')).json).toMatchObject({ config: { domains: [] } });
});

test('projects update --add-provider replaces own keys by new ones only, and keeps the tenant of Microsoft', async () => {
  const project = await openDemo().getProject();
  const before = project.config.oauthProviders;
  const own = { id: 'microsoft', type: 'standard', clientId: 'old', clientSecret: 'old-secret' } as const;
  const github = { id: 'github', type: 'shared' } as const;
  await project.update({ config: { oauthProviders: [{ ...own, microsoftTenantId: 'contoso' }, github] } });
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir, OWN_SECRET: 'new-secret' });
  const add = ['projects', 'update', '--json', '--add-provider', 'microsoft'];
  const shared = await terminal.run(...add);
  expect(shared).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--remove-provider microsoft') });
  const rotated = await terminal.run(...add, '--client-id', 'new', '--client-secret-env', 'OWN_SECRET');
  const kept = { id: 'microsoft', type: 'standard', clientId: 'new', microsoftTenantId: 'contoso' };
  expect(rotated).toMatchObject({ code: 0, json: { config: { oauthProviders: [github, kept] } } });
  const reset = await terminal.run(...add, '--remove-provider', 'microsoft');
  const both = [github, { id: 'microsoft', type: 'shared' }];
  expect(reset).toMatchObject({ code: 0, json: { config: { oauthProviders: both } } });
  await project.update({ config: { oauthProviders: before } });
});

test.each([
  ['https://app.example.com/', 'https://app.example.com'],
  ['https://App.Example.com:443', 'https://app.example.com/'],
  ['https://app.example.com/shop', 'https://app.example.com/shop'],
])('projects update --remove-domain removes %s, as another client has written it', async (stored, given) => {
  const other = { domain: 'https://other.example.com', handlerPath: '/handler' };
  await (await openDemo().getProject()).update({ config: { domains: [{ domain: stored, handlerPath: '/h' }, other] } });
  const update = (...options: string[]) => inRepository().run('projects', 'update', ...options, '--json');
  expect(await update('--remove-domain', given)).toMatchObject({ code: 0, json: { config: { domains: [other] } } });
  const again = await update('--remove-domain', given);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('did not trust') });
});

test('projects update reads smtps:// as port 465 and an IPv6 address, and refuses another port or a bare percent sign', async () => {
  const update = (url: string) =>
    openTerminal({ TESSERA_DATA_DIR: server.dataDir, SMTP_URL: url }).run(
      ...['projects', 'update', '--smtp-url-env', 'SMTP_URL', '--mail-from', 'Shop <hello@example.com>', '--json'],
    );
  const portOf = (port: number) => ({ code: 0, json: { config: { emailConfig: { host: 'mail.example.com', port } } } });
  expect(await update('smtps://acme:pw@mail.example.com')).toMatchObject(portOf(465));
  expect(await update('smtp://acme:pw@mail.example.com')).toMatchObject(portOf(587));
  expect(await update('smtps://acme:pw@mail.example.com:465')).toMatchObject(portOf(465));
  expect(await update('smtp://acme:pw@[2001:db8::25]')).toMatchObject({
    json: { config: { emailConfig: { host: '2001:db8::25' } } },
  });
  expect(await update('smtps://acme:pw@mail.example.com:587')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('SMTP_URL has port 587.'),
  });
  const refused = {
    code: 2,
    stdout: '',
    stderr: 'SMTP_URL has a % in user or password that encodes nothing. Write %25.\n',
  };
  expect(await update('smtp://acme:pw%zz@mail.example.com')).toMatchObject(refused);
});

test('users delete needs --yes in a script and a confirmation in a terminal', async () => {
  const ada = await server.person(server.demo);
  const script = inRepository();
  expect(await script.run('users', 'delete', ada.email)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  const questions: string[] = [];
  const answering = (answer: boolean) =>
    inRepository({
      isInteractive: true,
      confirm: async question => {
        questions.push(question);
        return answer;
      },
    });
  expect(await answering(false).run('users', 'delete', ada.email)).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed.\n',
  });
  expect(questions).toEqual([
    `Delete ${ada.email} (${ada.id}) from project ${server.demo} at ${server.url} permanently?`,
  ]);
  expect(await script.run('users', 'show', ada.id)).toMatchObject({ code: 0 });
  expect(await answering(true).run('users', 'delete', ada.email)).toMatchObject({ code: 0 });
  expect(await script.run('users', 'show', ada.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no user'),
  });
});

test('users sign-out ends all sessions of a user', async () => {
  const ada = await server.person(server.demo);
  const terminal = inRepository();
  const done = await terminal.run('users', 'sign-out', ada.id, '--yes', '--json');
  expect(done.json).toEqual({ id: ada.id, endedSessions: 1 });
  expect((await terminal.run('users', 'sign-out', ada.id, '--yes')).stdout).toContain('Ended 0 sessions');
});

test('users sign-out ends impersonation sessions of a user', async () => {
  const ada = await server.person(server.demo);
  const user = await openDemo().getUser(ada.id);
  await user?.createSession({ isImpersonation: true });
  const done = await inRepository().run('users', 'sign-out', ada.id, '--yes', '--json');
  expect(done.json).toEqual({ id: ada.id, endedSessions: 2 });
  expect(await user?.getActiveSessions()).toEqual([]);
});

test('users suspend keeps a user from signing in until users unsuspend', async () => {
  const ada = await server.person(server.demo);
  const terminal = inRepository();
  const suspended = await terminal.run('users', 'suspend', ada.email, '--reason', 'Spam', '--yes', '--json');
  expect(suspended.json).toEqual({ id: ada.id, suspended: true });
  expect((await terminal.run('users', 'show', ada.id)).stdout).toMatch(/Suspended +.*: Spam/);
  expect((await terminal.run('users', 'unsuspend', ada.id)).stdout).toContain(`${ada.email} is not suspended any more`);
  const shown = await terminal.run('users', 'show', ada.id, '--json');
  expect(shown.json).toMatchObject({ id: ada.id, suspension: null });
  expect((await terminal.run('users', 'unsuspend', ada.id)).stdout).toContain(`${ada.email} was not suspended`);
});

test('users show names a block of sign-in, and users allow-sign-in ends it', async () => {
  const ada = await server.person(server.demo);
  const { publishableClientKey = '' } = server.keys[server.demo] ?? {};
  const app = new ClientApp({
    tokenStore: 'memory',
    projectId: server.demo,
    publishableClientKey,
    baseUrl: server.url,
  });
  const signIn = (password: string) => app.signInWithCredential({ email: ada.email, password, noRedirect: true });
  for (let attempt = 0; attempt < 10; attempt += 1) await signIn('not the password');
  const terminal = inRepository();
  const block = { limit: 'failedSignInsPerAccount', from: '127.0.0.1', until: aTime };
  expect((await terminal.run('users', 'show', ada.id)).stdout).toMatch(
    /^Sign-in blocked +until .+Z after failed attempts, from 127\.0\.0\.1$/m,
  );
  expect((await terminal.run('users', 'show', ada.id, '--json')).json).toMatchObject({ signInBlocks: [block] });
  expect((await terminal.run('users', 'allow-sign-in', ada.email, '--json')).json).toEqual({
    id: ada.id,
    endedBlocks: [block],
  });
  await signIn(ada.password);
  expect(await app.getUser()).toMatchObject({ id: ada.id });
  expect((await terminal.run('users', 'allow-sign-in', ada.id)).stdout).toContain('was not blocked');
});

test('users sign-out without an admin key or login ends no session and names what is missing', async () => {
  const ada = await server.person(server.demo);
  const terminal = openTerminal({
    TESSERA_API_URL: server.url,
    TESSERA_PROJECT_ID: server.demo,
    TESSERA_SECRET_SERVER_KEY: server.keys[server.demo]?.secretServerKey ?? '',
  });
  expect(await terminal.run('users', 'sign-out', ada.id, '--yes')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Set TESSERA_SUPER_SECRET_ADMIN_KEY, or log in as its owner'),
  });
  expect(await (await openDemo().getUser(ada.id))?.getActiveSessions()).toHaveLength(1);
});

test('users sign-out continues after a session that ended in the meantime', async ({ onTestFinished }) => {
  const ada = await server.person(server.demo);
  const user = await openDemo().getUser(ada.id);
  await user?.createSession();
  const original = fetch;
  let deletions = 0;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    // Another program ends the session just before the command does.
    if (init?.method === 'DELETE' && ++deletions === 1)
      await user?.revokeSession(String(input).split(/[/?]/).at(-2) ?? '');
    return original(input, init);
  });
  onTestFinished(() => spy.mockRestore());
  const done = await inRepository().run('users', 'sign-out', ada.id, '--yes', '--json');
  expect(done).toMatchObject({ code: 0, json: { id: ada.id, endedSessions: 1 } });
  expect(await user?.getActiveSessions()).toEqual([]);
});

test('control characters in a display name are not printed', async () => {
  const terminal = inRepository();
  const { json } = await terminal.run('users', 'create', '--name', '\u001b[2J\u202eEve', '--json');
  const { id } = json as { id: string };
  for (const args of [
    ['show', id],
    ['list', '--limit', '1', '--newest-first'],
  ]) {
    const { stdout } = await terminal.run('users', ...args);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  }
});

test('control characters in JSON are escaped, also those that JSON allows', async () => {
  const terminal = inRepository();
  const displayName = '\u009b2J\u202e\u{E0001}Eve\u007f';
  const { stdout, json } = await terminal.run('users', 'create', '--name', displayName, '--json');
  expect(json).toMatchObject({ displayName });
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
});

test('control characters in an error are not printed', async () => {
  const { code, stderr } = await inRepository().run('users', 'show', '\u001b]0;title\u0007');
  expect(code).toBe(1);
  expect(stderr).toContain('There is no user');
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
});

test('a key set is created, used, listed without its keys, and revoked', async () => {
  const terminal = inRepository();
  const created = await terminal.run('keys', 'create', '--description', 'CI', '--expires-in', '90d', '--json');
  const keys = created.json as { id: string; publishableClientKey: string; secretServerKey: string };
  expect(keys).toEqual({
    id: anId,
    description: 'CI',
    createdAt: aTime,
    expiresAt: aTime,
    publishableClientKey: expect.stringMatching(/^pck_/),
    secretServerKey: expect.stringMatching(/^ssk_/),
  });
  const withKeys = openTerminal({
    TESSERA_API_URL: server.url,
    TESSERA_PROJECT_ID: server.demo,
    TESSERA_SECRET_SERVER_KEY: keys.secretServerKey,
  });
  expect(await withKeys.run('users', 'list')).toMatchObject({ code: 0 });
  const columnList = await terminal.run('keys', 'list', '--json');
  expect(columnList.json).toMatchObject({
    items: [{ id: keys.id, manuallyRevokedAt: null, superSecretAdminKey: null }, {}],
  });
  expect(columnList.stdout).not.toContain(keys.secretServerKey);
  expect(await terminal.run('keys', 'revoke', keys.id)).toMatchObject({ code: 2 });
  expect(await terminal.run('keys', 'revoke', keys.id, '--yes')).toMatchObject({ code: 0 });
  expect(await withKeys.run('users', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(INVALID_SECRET_SERVER_KEY)'),
  });
  expect((await terminal.run('keys', 'list')).stdout).toMatch(/CI .* revoked/);
  expect(await terminal.run('keys', 'revoke', server.demo, '--yes')).toMatchObject({ code: 1 });
});

test.each([
  ['ends after the last date', '999999999999d', '999999999999d is too long. Write at most 36500d.\n'],
  ['ends at once', '0s', '0s is no time. Write at least 1s.\n'],
])('keys create refuses a duration that %s', async (_what, duration, stderr) => {
  const refused = { code: 2, stdout: '', stderr };
  expect(await inRepository().run('keys', 'create', '--expires-in', duration)).toMatchObject(refused);
});

test.each([
  ['a page', '<h1>Please sign in to the network</h1>'],
  ['other JSON', '{"hello":1}'],
])('a command sends no key to a program that answers everything with %s', async (_what, body) => {
  const seen: string[] = [];
  const other = createServer((incoming, outgoing) => {
    seen.push(incoming.url ?? '');
    outgoing.end(body);
  });
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as { port: number }).port}`;
  const env = { TESSERA_API_URL: url, TESSERA_PROJECT_ID: 'internal', TESSERA_SECRET_SERVER_KEY: 'ssk_secret' };
  const { code, stderr } = await openTerminal(env).run('users', 'list');
  other.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `The server at ${url} is not a healthy Tessera server (status 200). Run \`tessera doctor\` for details.\n`,
  });
  expect(seen).toEqual(['/health']);
});

test('new keys are printed as lines for an .env file, with a note that they are shown once', async () => {
  const { stdout, stderr } = await inRepository().run('keys', 'create', '--admin');
  expect(stdout).toMatch(/^TESSERA_PROJECT_ID=\S+\nTESSERA_SUPER_SECRET_ADMIN_KEY=sak_\w+\n$/);
  expect(stderr).toBe('Save these keys now. They are not shown again.\n');
});

test('projects show prints no secrets of the configuration', async () => {
  const { superSecretAdminKey = '' } = server.keys[server.demo] ?? {};
  await fetch(`${server.url}/api/v1/internal/projects/current`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'admin',
      'x-stack-project-id': server.demo,
      'x-stack-super-secret-admin-key': superSecretAdminKey,
    },
    body: JSON.stringify({
      config: { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'c1', client_secret: 'hush' }] },
    }),
  });
  const shown = await inRepository().run('projects', 'show', '--json');
  expect(shown.json).toMatchObject({ id: server.demo, config: { oauthProviders: [{ id: 'github', clientId: 'c1' }] } });
  expect(shown.stdout).not.toContain('hush');
});

test('a command without a key and a login fails and names both ways to authenticate', async () => {
  const env = { TESSERA_API_URL: server.url, TESSERA_PROJECT_ID: server.demo };
  const { code, stderr } = await openTerminal(env).run('keys', 'list');
  expect(code).toBe(1);
  expect(stderr).toContain('TESSERA_SUPER_SECRET_ADMIN_KEY');
  expect(stderr).toContain(`tessera login --api-url ${server.url} --project internal`);
});

test.each([
  [['users', 'list', '--limit', '0']],
  [['users', 'list', '--limit', 'many']],
  [['users', 'create', '--password-env', 'NOT_SET']],
  [['keys', 'create', '--expires-in', 'soon']],
  [['users', 'list', '--api-url', 'localhost:4280']],
  [['users']],
  [['users', 'rename']],
  [['users', 'show']],
  [['nonsense']],
  [['users', 'list', '--nonsense']],
])('%j exits with 2 and an error', async args => {
  const ran = await inRepository().run(...args);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).not.toBe('');
});

test('a command without a server exits with 2 and names the option', async () => {
  expect(await openTerminal({}).run('users', 'list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--api-url'),
  });
});

test('a command for an unreachable server fails at once with the address', async () => {
  const url = `http://127.0.0.1:${closedPort}`;
  const env = { TESSERA_API_URL: url, TESSERA_PROJECT_ID: 'p', TESSERA_SECRET_SERVER_KEY: 's' };
  expect(await openTerminal(env).run('users', 'list')).toMatchObject({
    code: 1,
    stderr: `Cannot connect to a server at ${url}: connection refused. Start it, or correct --api-url (TESSERA_API_URL).\n`,
  });
});

test.each([[['--help']], [['users', '--help']], [['--version']]])(
  '%j exits with 0 and prints to standard output',
  async args => {
    const { code, stdout, stderr } = await openTerminal({}).run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  },
);
