import { ClientApp } from '@tessera/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startServer, type TestServer } from '../../test/server.ts';
import { openTerminal, type Ran } from '../../test/terminal.ts';

const userCount = 240;

let server: TestServer;
let owner: Person;
let seeded: Ran;
let app: Awaited<ReturnType<typeof findOwnedApp>>;
beforeAll(async () => {
  server = await startServer();
  owner = await server.person('internal', 'owner');
  seeded = await seed();
  app = await findOwnedApp(owner, (seeded.json as { projectId: string }).projectId);
});
afterAll(() => server.stop());

function seed(): Promise<Ran> {
  const terminal = openTerminal({ DATABASE_URL: server.database.url, TESSERA_SECRET: server.secret });
  return terminal.run('seed', '--users', String(userCount), '--json');
}

/** The admin app of a project in the list of its owner. */
async function findOwnedApp({ email, password }: Person, projectId: string) {
  const { publishableClientKey = '' } = server.keys.internal ?? {};
  const options = { baseUrl: server.url, projectId: 'internal', publishableClientKey, tokenStore: 'memory' } as const;
  const internal = new ClientApp(options);
  await internal.signInWithCredential({ email, password, noRedirect: true });
  const user = await internal.getUser({ or: 'throw' });
  const projects = await user.listOwnedProjects();
  const project = projects.find(({ id }) => id === projectId);
  if (project === undefined) throw new Error('the seeded project is not in the list of its owner');
  return project.app;
}

test('seed makes a project with the given number of users, owned by the owner of the installation', async () => {
  expect(seeded).toMatchObject({ code: 0, stderr: '', json: { users: userCount } });
  const users = await app.listUsers({ limit: 1_000 });
  expect(users).toHaveLength(userCount);
  const names = users.map(({ displayName }) => displayName ?? '').join('');
  for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /ü/u])
    expect(names).toMatch(script);
});

test('the users of a seeded project are found by name, and have teams, permissions and API keys', async () => {
  const someone = (await app.listUsers({ limit: 50 })).find(({ isAnonymous }) => !isAnonymous);
  const found = await app.listUsers({ query: someone?.displayName?.toLowerCase() ?? '' });
  expect(found.map(({ id }) => id)).toContain(someone?.id);
  const teams = await app.listTeams();
  expect(teams.length).toBeGreaterThan(2);
  const members = await Promise.all(teams.map(team => team.listUsers()));
  expect(members.flat().length).toBeGreaterThan(userCount / 4);
  const definitions = await app.listTeamPermissionDefinitions();
  expect(definitions.map(({ id }) => id)).toContain('billing_manager');
});

test('a seeded project has 60 days of activity in the metrics, and failed sign-ins in the audit log', async () => {
  const metrics = await app.getMetrics();
  expect(metrics.totalUsers).toBe(userCount);
  expect(metrics.dailyActiveUsers.filter(({ activity }) => activity > 0).length).toBeGreaterThan(20);
  expect(Object.keys(metrics.usersByCountry).length).toBeGreaterThan(5);
  const methods = metrics.loginMethods.map(({ method }) => method);
  expect(methods.toSorted()).toEqual(['github', 'google', 'microsoft', 'otp', 'passkey', 'password']);
  const failed = await app.listAuditEvents({ action: 'sign_in.failed' });
  expect(failed.length).toBeGreaterThan(5);
  expect((await app.listSentEmails()).length).toBeGreaterThan(5);
});

test('a second seed makes a second project', async () => {
  const second = await seed();
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.json).not.toEqual(seeded.json);
});

test('a seed of one user is reported in the singular', async () => {
  const terminal = openTerminal({ DATABASE_URL: server.database.url, TESSERA_SECRET: server.secret });
  const ran = await terminal.run('seed', '--users', '1');
  expect(ran.stdout).toMatch(/ with 1 user\.\n$/);
});

test('the log of sent emails has the name of the seeded project, and only unverified addresses were refused', async () => {
  const terminal = openTerminal({ DATABASE_URL: server.database.url, TESSERA_SECRET: server.secret });
  const ran = await terminal.run('seed', '--users', '1500', '--name', 'Shop', '--json');
  const { projectId } = ran.json as { projectId: string };
  const shop = await findOwnedApp(owner, projectId);
  const emails = await shop.listSentEmails();
  expect(emails.length).toBeGreaterThan(20);
  expect(emails.filter(({ subject }) => !subject.includes('Shop'))).toEqual([]);
  const refused = emails.flatMap(({ to, error }) => (error === undefined ? [] : (to ?? [])));
  const verified = await server.database.query(
    'select value from contact_channels where project_id = $1 and is_verified and value = any($2)',
    [projectId, refused],
  );
  expect([refused.length > 0, verified]).toEqual([true, []]);
});
