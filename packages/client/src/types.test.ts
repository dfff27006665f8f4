import type { KnownError } from '@tessera/protocol/errors';
import { expectTypeOf, test } from 'vitest';
import {
  AdminApp,
  type AdminDomainConfig,
  type AdminOAuthProviderConfig,
  type AdminOwnedProject,
  type AdminProjectConfig,
  type AdminSentEmail,
  type AdminTeamPermissionDefinition,
  type ApiKey,
  ClientApp,
  type CurrentServerUser,
  type CurrentUser,
  type InternalUserPart,
  internals,
  type OAuthConnection,
  type ProjectConfig,
  ServerApp,
  type ServerTeam,
  type ServerUser,
  type Session,
  type Team,
  type TeamApiKeyFirstView,
  type User,
  type UserApiKey,
} from './index.ts';
import type { Reader } from './internals.ts';
import type { StackAdminApp, StackClientApp, StackServerApp } from './stack.ts';
import { settings } from './test/apps.ts';

const app = new ClientApp({ ...settings, tokenStore: 'memory' });
const server = new ServerApp({ ...settings, tokenStore: 'memory', secretServerKey: 's' });
const storeless = new ClientApp({ ...settings, tokenStore: null });

test('getUser is null only where it can be', () => {
  const never = () => {
    expectTypeOf(app.getUser()).resolves.toEqualTypeOf<CurrentUser | null>();
    expectTypeOf(app.getUser({ or: 'return-null' })).resolves.toEqualTypeOf<CurrentUser | null>();
    expectTypeOf(app.getUser({ or: 'anonymous-if-exists' })).resolves.toEqualTypeOf<CurrentUser | null>();
    expectTypeOf(app.getUser({ or: 'throw' })).resolves.toEqualTypeOf<CurrentUser>();
    expectTypeOf(app.getUser({ or: 'redirect' })).resolves.toEqualTypeOf<CurrentUser>();
    expectTypeOf(app.getUser({ or: 'anonymous' })).resolves.toEqualTypeOf<CurrentUser>();
    // @ts-expect-error: not a mode
    void app.getUser({ or: 'explode' });
  };
  expectTypeOf(never).returns.toBeVoid();
});

test('lists are arrays that the caller may change', () => {
  const never = async () => {
    const user = await app.getUser({ or: 'throw' });
    const teams: Team[] = await user.listTeams();
    const users: ServerUser[] = await server.listUsers();
    const keys: UserApiKey[] = await user.listApiKeys();
    return [teams.sort(), users.reverse(), keys.splice(0)];
  };
  expectTypeOf(never).toBeFunction();
});

test('lists inside objects have the type of an array, and updates accept lists that cannot be changed', () => {
  expectTypeOf<AdminTeamPermissionDefinition['containedPermissionIds']>().toEqualTypeOf<string[]>();
  expectTypeOf<AdminSentEmail['to']>().toEqualTypeOf<string[]>();
  expectTypeOf<ProjectConfig['oauthProviders']>().toEqualTypeOf<{ readonly id: string }[]>();
  expectTypeOf<AdminProjectConfig['domains']>().toEqualTypeOf<AdminDomainConfig[]>();
  expectTypeOf<AdminProjectConfig['oauthProviders']>().toEqualTypeOf<AdminOAuthProviderConfig[]>();
  expectTypeOf<AdminProjectConfig['userDefaultPermissions']>().toEqualTypeOf<{ readonly id: string }[]>();
  const never = async () => {
    const domains = [{ domain: 'https://app.example.com', handlerPath: '/handler' }] as const;
    const project = await new AdminApp({ ...settings, tokenStore: null }).getProject();
    await project.update({ config: { domains } });
    // @ts-expect-error: a domain requires handlerPath
    await project.update({ config: { domains: [{ domain: 'https://app.example.com' }] } });
  };
  expectTypeOf(never).toBeFunction();
});

test('an app without a token store wants one at every getUser', () => {
  const never = () => {
    // @ts-expect-error: no token store
    void storeless.getUser();
    // @ts-expect-error: no token store either
    void storeless.getUser({ or: 'throw' });
    const request = new Request('https://shop.example');
    expectTypeOf(storeless.getUser({ tokenStore: request })).resolves.toEqualTypeOf<CurrentUser | null>();
    expectTypeOf(storeless.getUser({ tokenStore: request, or: 'throw' })).resolves.toEqualTypeOf<CurrentUser>();
  };
  expectTypeOf(never).returns.toBeVoid();
});

test('a server app is a client app whose users show more', () => {
  expectTypeOf(server).toExtend<ClientApp<true>>();
  expectTypeOf<AdminApp<true>>().toExtend<ServerApp<true>>();
  expectTypeOf<CurrentServerUser>().toExtend<CurrentUser>();
  expectTypeOf<ServerApp<false>>().toExtend<ClientApp>();
  expectTypeOf<AdminApp<false>>().toExtend<ClientApp>();
  expectTypeOf<ServerApp<false>>().not.toExtend<ClientApp<true>>();
  const never = () => expectTypeOf(server.getUser({ or: 'throw' })).resolves.toEqualTypeOf<CurrentServerUser>();
  expectTypeOf(never).toBeFunction();
});

test('the project id keeps its literal', () => {
  const internal = new ClientApp({ ...settings, tokenStore: 'memory', projectId: 'internal' });
  expectTypeOf(internal.projectId).toEqualTypeOf<'internal'>();
  expectTypeOf(
    new ClientApp({
      tokenStore: 'memory',
      baseUrl: 'https://x.example',
      projectId: String(1),
      publishableClientKey: 'k',
    }).projectId,
  ).toEqualTypeOf<string>();
});

test('users of the project internal own projects, others do not', () => {
  const internal = new ClientApp({ ...settings, tokenStore: 'memory', projectId: 'internal' });
  const onServer = new ServerApp({ ...settings, tokenStore: 'memory', projectId: 'internal', secretServerKey: 's' });
  const never = () => {
    expectTypeOf(internal.getUser({ or: 'throw' })).resolves.toEqualTypeOf<CurrentUser & InternalUserPart>();
    expectTypeOf(onServer.getUser()).resolves.toEqualTypeOf<(CurrentServerUser & InternalUserPart) | null>();
    expectTypeOf(app.getUser({ or: 'throw' })).resolves.not.toExtend<InternalUserPart>();
    expectTypeOf<AdminOwnedProject['app']>().toEqualTypeOf<AdminApp<false>>();
  };
  expectTypeOf(never).toBeFunction();
});

test('a server finds any user, and an app without a token store still wants one for the current user', () => {
  const storelessServer = new ServerApp({ ...settings, tokenStore: null, secretServerKey: 's' });
  const never = () => {
    expectTypeOf(server.getUser('id')).resolves.toEqualTypeOf<ServerUser | null>();
    expectTypeOf(storelessServer.getUser({ apiKey: 'k' })).resolves.toEqualTypeOf<ServerUser | null>();
    expectTypeOf(server.getUser()).resolves.toEqualTypeOf<CurrentServerUser | null>();
    // @ts-expect-error: no token store
    void storelessServer.getUser();
    // @ts-expect-error: a client cannot
    void app.getUser('id');
  };
  expectTypeOf(never).toBeFunction();
});

test('a connected account is null only where it can be', () => {
  const never = (user: CurrentUser) => {
    expectTypeOf(user.getConnectedAccount('github')).resolves.toEqualTypeOf<OAuthConnection | null>();
    expectTypeOf(
      user.getConnectedAccount('github', { scopes: ['repo'] }),
    ).resolves.toEqualTypeOf<OAuthConnection | null>();
    expectTypeOf(user.getConnectedAccount('github', { or: 'redirect' })).resolves.toEqualTypeOf<OAuthConnection>();
    expectTypeOf(user.getConnectedAccount('github', { or: 'throw' })).resolves.toEqualTypeOf<OAuthConnection>();
  };
  expectTypeOf(never).toBeFunction();
});

test('permissions are asked for a team or for the project', () => {
  const never = (user: CurrentUser, team: Team) => {
    expectTypeOf(user.hasPermission(team, 'edit')).resolves.toBeBoolean();
    expectTypeOf(user.hasPermission('edit')).resolves.toBeBoolean();
    void user.listPermissions(team, { recursive: false });
    void user.listPermissions();
    // @ts-expect-error: which one?
    void user.hasPermission(team);
  };
  expectTypeOf(never).toBeFunction();
});

test('objects of a server do all that those of a client do, and more', () => {
  expectTypeOf<ServerTeam>().toExtend<Team>();
  expectTypeOf<ServerUser['createSession']>().toBeFunction();
  expectTypeOf<CurrentServerUser>().toExtend<ServerUser>();
  expectTypeOf<Team>().not.toHaveProperty('addUser');
});

test('every kind of user is a user, and every key a key', () => {
  expectTypeOf<CurrentUser>().toExtend<User>();
  expectTypeOf<ServerUser>().toExtend<User>();
  expectTypeOf<ApiKey<'user'>>().toEqualTypeOf<UserApiKey>();
  expectTypeOf<ApiKey<'team', true>>().toEqualTypeOf<TeamApiKeyFirstView>();
  expectTypeOf<ApiKey['type']>().toEqualTypeOf<'user' | 'team'>();
  expectTypeOf<ServerUser['createSession']>().returns.resolves.toEqualTypeOf<Session>();
});

test('requests of all frameworks are token stores', () => {
  const never = (express: { headers: { [name: string]: string | string[] | undefined } }, headers: Headers) => {
    void storeless.getUser({ tokenStore: express });
    void storeless.getUser({ tokenStore: { headers } });
    void storeless.getUser({ tokenStore: 'nextjs-cookie' });
    // @ts-expect-error: not a store
    void storeless.getUser({ tokenStore: 'local-storage' });
  };
  expectTypeOf(never).toBeFunction();
});

test('an owner session excludes keys', () => {
  const never = (owner: CurrentUser) => {
    void new AdminApp({ tokenStore: null, projectOwnerSession: owner._internalSession });
    // @ts-expect-error: both
    void new AdminApp({ tokenStore: null, projectOwnerSession: owner._internalSession, secretServerKey: 's' });
  };
  expectTypeOf(never).toBeFunction();
});

test('only the named errors are returned', () => {
  type SignIn = Awaited<ReturnType<typeof app.signInWithCredential>>;
  type SignUp = Awaited<ReturnType<typeof app.signUpWithCredential>>;
  type Verify = Awaited<ReturnType<typeof app.verifyEmail>>;
  expectTypeOf<Extract<SignIn, { status: 'error' }>['error']>().toEqualTypeOf<
    KnownError<'EMAIL_PASSWORD_MISMATCH'> | KnownError<'INVALID_TOTP_CODE'>
  >();
  expectTypeOf<Extract<SignUp, { status: 'error' }>['error']['errorCode']>().toEqualTypeOf<
    'USER_EMAIL_ALREADY_EXISTS' | 'PASSWORD_REQUIREMENTS_NOT_MET' | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'
  >();
  expectTypeOf<
    Extract<Verify, { status: 'error' }>['error']['errorCode']
  >().toExtend<`VERIFICATION_${'ERROR' | `CODE_${'NOT_FOUND' | 'EXPIRED' | 'ALREADY_USED' | 'MAX_ATTEMPTS_REACHED'}`}`>();
});

test('React sees readers', () => {
  expectTypeOf(app[internals].user()).toEqualTypeOf<Reader<CurrentUser | null>>();
  expectTypeOf(server[internals].user()).toEqualTypeOf<Reader<CurrentServerUser | null>>();
});

test('the classes for migrating apps have the types of ours', () => {
  expectTypeOf<StackClientApp<true>>().toEqualTypeOf<ClientApp<true>>();
  expectTypeOf<StackServerApp<false, 'internal'>>().toEqualTypeOf<ServerApp<false, 'internal'>>();
  expectTypeOf<StackAdminApp>().toEqualTypeOf<AdminApp>();
});
