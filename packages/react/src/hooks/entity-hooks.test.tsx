import { internals, type Tokens, type UserApiKey } from '@tessera/client';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { Profiler, Suspense } from 'react';
import { afterEach, beforeEach, expect, expectTypeOf, it, vi } from 'vitest';
import { AdminApp, ClientApp, ServerApp } from '../app/apps.ts';
import { TesseraProvider } from '../app/provider.tsx';
import { settle } from '../test/show.tsx';
import { json, stubServer } from '../test/stub-server.ts';
import type {
  AdminOwnedProject,
  AdminProject,
  CurrentServerUser,
  CurrentUser,
  OAuthConnection,
  ServerTeam,
  ServerTeamUser,
  ServerUser,
  Team,
} from './hooked-types.ts';
import { useUser } from './hooks.ts';

const ada = { email: 'ada@example.com', password: 'violet harbour 93 lamp' };
const wireTeam = {
  id: 't1',
  display_name: 'Analysts',
  profile_image_url: null,
  client_metadata: null,
  client_read_only_metadata: null,
};
const members = [{ team_id: 't1', user_id: 'u', display_name: 'Ada', profile_image_url: null }];

let server = stubServer();

beforeEach(() => {
  server = stubServer({
    more: {
      'GET /teams': () => json({ items: [wireTeam], is_paginated: false }),
      'GET /team-member-profiles': () => json({ items: members, is_paginated: false }),
      'GET /contact-channels': () => json({ items: [], is_paginated: false }),
      'PATCH /teams/t1': (_, body) => {
        wireTeam.display_name = body.display_name ?? '';
        return json(wireTeam);
      },
    },
  });
  server.addAccount(ada.email, ada.password);
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const options = {
  baseUrl: 'http://localhost:4280',
  projectId: 'p',
  publishableClientKey: 'pk',
  tokenStore: 'memory',
} as const;

function Teams() {
  const teams = useUser({ or: 'throw' }).useTeams();
  return teams.map(team => <Members key={team.id} team={team} />);
}

function Members({ team }: { team: Team }) {
  const names = team.useUsers().map(({ teamProfile }) => teamProfile.displayName);
  return (
    <p>
      {team.displayName}: {names.join()}
    </p>
  );
}

function Channels() {
  return <p>{useUser({ or: 'throw' }).useContactChannels().length} addresses</p>;
}

function Email({ tokens }: { tokens: Tokens }) {
  return <p>{useUser({ or: 'throw', tokenStore: { ...tokens } }).primaryEmail}</p>;
}

async function signedInApp() {
  const app = new ClientApp(options);
  await app.signInWithCredential({ ...ada, noRedirect: true });
  return app;
}

it('users and teams have a hook for each of their reads, which follows changes', async () => {
  const app = await signedInApp();
  const onRender = vi.fn();
  render(
    <TesseraProvider app={app}>
      <Profiler id="teams" onRender={onRender}>
        <Suspense>
          <Teams />
        </Suspense>
      </Profiler>
    </TesseraProvider>,
  );
  expect(await screen.findByText('Analysts: Ada')).toBeTruthy();
  await settle();
  onRender.mockClear();
  await settle();
  expect(onRender).not.toHaveBeenCalled();

  const user = await app.getUser();
  const team = await user?.getTeam('t1');
  await act(async () => team?.update({ displayName: 'Engineers' }));
  expect(await screen.findByText('Engineers: Ada')).toBeTruthy();
  expect(server.requests.filter(route => route === 'GET /team-member-profiles')).toHaveLength(1);
});

it('useUser accepts tokens in an object that is new at each render, and reads the user once', async () => {
  const tokens = await (await (await signedInApp()).getUser({ or: 'throw' })).getAuthJson();
  server.requests.length = 0;
  render(
    <TesseraProvider app={new ClientApp(options)}>
      <Suspense>
        <Email tokens={tokens} />
      </Suspense>
    </TesseraProvider>,
  );
  expect(await screen.findByText(ada.email)).toBeTruthy();
  await settle();
  expect(server.requests.filter(route => route === 'GET /users/me')).toHaveLength(1);
});

it('hooks of the same component send their requests in parallel', async () => {
  const app = await signedInApp();
  server.requests.length = 0;
  const answers: (() => void)[] = [];
  const { fetch } = server;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const url = new Request(input, init).url;
    if (/\/(?:teams|contact-channels)\b/.test(url)) await new Promise<void>(resolve => answers.push(resolve));
    return fetch(input, init);
  });
  render(
    <TesseraProvider app={app}>
      <Suspense>
        <Teams />
        <Channels />
      </Suspense>
    </TesseraProvider>,
  );
  await waitFor(() => expect(answers).toHaveLength(2));
  await act(async () => {
    for (const answer of answers) answer();
  });
  expect(await screen.findByText('0 addresses')).toBeTruthy();
});

const hooksIn = (entity: object) =>
  Object.keys(entity)
    .filter(name => /^use[A-Z]/.test(name))
    .sort();

it('every read that is documented to have a hook has it at its level, and no other', () => {
  const app = ['useNavigate', 'useProject', 'useUser'];
  const server = [...app, 'useTeam', 'useTeams', 'useUserById', 'useUsers'].sort();
  const admin = [
    ...server,
    ...[
      'useEmailTemplates',
      'useEmailThemePreview',
      'useInternalApiKeys',
      'useMetrics',
      'useMetricsHistory',
      'useSvixToken',
    ],
    ...['useProjectPermissionDefinitions', 'useTeamPermissionDefinitions'],
    ...[
      'useAccountDeletionSettings',
      'useAnonymousUserSettings',
      'useAuditLogSettings',
      'useBranding',
      'useEmailVerificationSettings',
      'useInvitationSettings',
      'useLimits',
    ],
    ...['usePasswordPolicy', 'useSessionPolicy', 'useApiKeyUsage', 'useAuditEvents'],
    ...['usePasskeyPolicy', 'useSignInNoticeSettings', 'useSignUpRestrictions', 'useTeamRoleSettings'],
    ...['useWebhookAttempts', 'useWebhookEndpointMessages', 'useWebhookEndpoints', 'useWebhookEventTypes'],
    'useWebhookMessages',
  ].sort();
  const secrets = { ...options, secretServerKey: 'sk', superSecretAdminKey: 'ak' };
  expect(hooksIn(new ClientApp(options))).toEqual(app);
  expect(hooksIn(new ServerApp(secrets))).toEqual(server);
  const owner = new AdminApp(secrets);
  expect(hooksIn(owner)).toEqual(admin);
  expect(owner[internals]).toHaveProperty('useMetrics', owner.useMetrics);
});

it('users and teams have every documented hook', async () => {
  const user = await (await signedInApp()).getUser({ or: 'throw' });
  expect(hooksIn(user)).toEqual([
    ...['useApiKeys', 'useConnectedAccount', 'useContactChannels', 'useNotificationCategories', 'usePermission'],
    ...['usePermissions', 'useTeam', 'useTeamProfile', 'useTeams'],
  ]);
  const [team] = await user.listTeams();
  expect(hooksIn(team ?? {})).toEqual(['useApiKeys', 'useInvitations', 'useUsers']);
});

it('the app of an owned project has the hooks of an admin app', async () => {
  const config = { domains: [], oauth_providers: [], email_config: { type: 'shared' } };
  server = stubServer({
    more: { 'GET /internal/projects': () => json({ items: [{ id: 'shop', config }], is_paginated: false }) },
  });
  server.addAccount(ada.email, ada.password);
  vi.stubGlobal('fetch', server.fetch);
  const app = new ClientApp({ ...options, projectId: 'internal' });
  await app.signInWithCredential({ ...ada, noRedirect: true });
  const [project] = await (await app.getUser({ or: 'throw' })).listOwnedProjects();
  expect(hooksIn(project ?? {})).toEqual(['useProductionModeErrors']);
  expect(hooksIn(project?.app ?? {})).toEqual(
    hooksIn(new AdminApp({ ...options, secretServerKey: 'sk', superSecretAdminKey: 'ak' })),
  );
});

it('what promise methods return has hooks in its type', () => {
  type Client = InstanceType<typeof ClientApp<'memory'>>;
  type Server = InstanceType<typeof ServerApp<'memory'>>;
  type Admin = InstanceType<typeof AdminApp<'memory'>>;
  const never = async (app: Client, server: Server, admin: Admin, team: ServerTeam, user: CurrentUser) => {
    expectTypeOf(app.getUser()).resolves.toEqualTypeOf<CurrentUser | null>();
    expectTypeOf(app.getUser({ or: 'throw' })).resolves.toEqualTypeOf<CurrentUser>();
    expectTypeOf(app.user.get()).toEqualTypeOf<CurrentUser | null | undefined>();
    expectTypeOf(server.getUser('u1')).resolves.toEqualTypeOf<ServerUser | null>();
    expectTypeOf(server.getUser()).resolves.toEqualTypeOf<CurrentServerUser | null>();
    expectTypeOf(server.getTeam('t1')).resolves.toEqualTypeOf<ServerTeam | null>();
    expectTypeOf((await server.listUsers())[0]).toEqualTypeOf<ServerUser | undefined>();
    expectTypeOf((await server.listUsers()).nextCursor).toEqualTypeOf<string | null>();
    expectTypeOf(admin.getProject()).resolves.toEqualTypeOf<AdminProject>();
    expectTypeOf((await team.listUsers())[0]).toEqualTypeOf<ServerTeamUser | undefined>();
    expectTypeOf(user.getConnectedAccount('github', { or: 'throw' })).resolves.toEqualTypeOf<OAuthConnection>();
    expectTypeOf<AdminOwnedProject['app']>().toEqualTypeOf<AdminApp<false>>();
  };
  expectTypeOf(never).toBeFunction();
});

it('the hooks of each level are typed', () => {
  type Server = InstanceType<typeof ServerApp>;
  type Admin = InstanceType<typeof AdminApp>;
  expectTypeOf<ReturnType<CurrentUser['useTeams']>>().toEqualTypeOf<Team[]>();
  expectTypeOf<ReturnType<CurrentUser['useApiKeys']>>().toEqualTypeOf<UserApiKey[]>();
  expectTypeOf<CurrentUser['selectedTeam']>().toEqualTypeOf<Team | null>();
  expectTypeOf<ReturnType<CurrentUser['useTeam']>>().toEqualTypeOf<Team | null>();
  expectTypeOf<ReturnType<OAuthConnection['useAccessToken']>>().toEqualTypeOf<{ accessToken: string }>();
  expectTypeOf<ReturnType<Server['useUserById']>>().toEqualTypeOf<ServerUser | null>();
  expectTypeOf<ReturnType<Server['useTeams']>>().toEqualTypeOf<ServerTeam[]>();
  expectTypeOf<ReturnType<Server['useUsers']>['nextCursor']>().toEqualTypeOf<string | null>();
  expectTypeOf<Admin>().toHaveProperty('useInternalApiKeys');
  expectTypeOf<Admin>().toHaveProperty('useSvixToken');
});
