import type * as core from '@tessera/client/stack';
import { expect, expectTypeOf, it } from 'vitest';
import type * as next from './adapters/next.tsx';
import * as everything from './index.ts';

it('the handler of Next.js takes the props of a page that declares them as unknown', () => {
  expectTypeOf<{ fullPage: true; routeProps: unknown }>().toExtend<next.NextHandlerProps>();
});

it('a user of project internal has the hooks of an owner', () => {
  const never = () => {
    const owner = everything.useUser({ or: 'redirect', projectIdMustMatch: 'internal' });
    expectTypeOf(owner.useOwnedProjects).toBeFunction();
    expectTypeOf(owner.createProject).toBeFunction();
    const app = everything.useStackApp({ projectIdMustMatch: 'internal' });
    expectTypeOf(app.useUser({ or: 'redirect' }).useOwnedProjects).toBeFunction();
    // @ts-expect-error: only with projectIdMustMatch is the app known to be the one of project `internal`
    everything.useStackApp().useUser({ or: 'redirect' }).useOwnedProjects();
    // @ts-expect-error: only users of project `internal` own projects
    everything.useUser({ or: 'redirect', projectIdMustMatch: 'shop' }).useOwnedProjects();
  };
  expectTypeOf(never).returns.toBeVoid();
});

it('the option types of the hosted SDK have their names there', () => {
  expectTypeOf<everything.AdminProjectConfigUpdateOptions>().toEqualTypeOf<everything.AdminProjectConfigUpdate>();
  expectTypeOf<everything.AdminTeamPermissionDefinitionCreateOptions>().toEqualTypeOf<everything.PermissionDefinitionCreateOptions>();
  expectTypeOf<everything.AdminTeamPermissionDefinitionUpdateOptions>().toEqualTypeOf<everything.PermissionDefinitionUpdateOptions>();
  expectTypeOf<everything.AdminProjectPermissionDefinitionCreateOptions>().toEqualTypeOf<everything.PermissionDefinitionCreateOptions>();
  expectTypeOf<everything.AdminProjectPermissionDefinitionUpdateOptions>().toEqualTypeOf<everything.PermissionDefinitionUpdateOptions>();
  expectTypeOf<{ github: string[] }>().toExtend<everything.OAuthScopesOnSignIn>();
});

it('@tessera/react exports the documented names', () => {
  expect(Object.keys(everything).sort()).toMatchInlineSnapshot(`
    [
      "AccountDeletion",
      "AccountSettings",
      "AdminApp",
      "AuthPage",
      "CliAuthConfirmation",
      "ClientApp",
      "CredentialSignIn",
      "CredentialSignUp",
      "EmailVerification",
      "ErrorPage",
      "ForgotPassword",
      "MFA",
      "MagicLinkCallback",
      "MagicLinkSignIn",
      "MessageCard",
      "OAuthButton",
      "OAuthButtonGroup",
      "OAuthCallback",
      "PasskeyButton",
      "PasswordReset",
      "Protect",
      "Reauthentication",
      "SelectedTeamSwitcher",
      "ServerApp",
      "SignIn",
      "SignOut",
      "SignUp",
      "SignedIn",
      "SignedOut",
      "StackAdminApp",
      "StackClientApp",
      "StackHandler",
      "StackProvider",
      "StackServerApp",
      "StackTheme",
      "TeamCreation",
      "TeamInvitation",
      "TesseraBoundary",
      "TesseraErrorBoundary",
      "TesseraHandler",
      "TesseraProvider",
      "TesseraTheme",
      "UserAvatar",
      "UserButton",
      "refetch",
      "stackAppInternalsSymbol",
      "useActionGuard",
      "useApp",
      "useErrorText",
      "useSession",
      "useSignIn",
      "useSignUp",
      "useStackApp",
      "useUser",
    ]
  `);
});

it('every flavour exports the same symbol for the internals of an app', () => {
  const app = new everything.StackClientApp({
    baseUrl: 'http://localhost:4280',
    projectId: 'p',
    publishableClientKey: 'pk',
    tokenStore: null,
  });
  expect(app[everything.stackAppInternalsSymbol].sendRequest).toBeTypeOf('function');
});

it('the internals of an admin app have the hook for metrics', () => {
  type Internals = everything.StackAdminApp[typeof everything.stackAppInternalsSymbol];
  expectTypeOf<Internals['useMetrics']>().returns.toEqualTypeOf<core.Metrics>();
});

it('every flavour has the types of the SDK, and those with hooks under the same names', () => {
  expectTypeOf<everything.Project>().toEqualTypeOf<core.Project>();
  expectTypeOf<next.Project>().toEqualTypeOf<core.Project>();
  expectTypeOf<everything.UserApiKey>().toEqualTypeOf<core.UserApiKey>();
  expectTypeOf<everything.Result<1>>().toEqualTypeOf<core.Result<1>>();
  expectTypeOf<next.Result<1>>().toEqualTypeOf<core.Result<1>>();
  // The page has this name too.
  expectTypeOf<everything.TeamInvitation>().toEqualTypeOf<core.TeamInvitation>();
  expectTypeOf<next.TeamInvitation>().toEqualTypeOf<core.TeamInvitation>();

  expectTypeOf<everything.Team>().toHaveProperty('useUsers');
  expectTypeOf<next.CurrentUser>().toHaveProperty('useTeams');
  expectTypeOf<everything.StackServerApp>().toHaveProperty('useUsers');
});

it('a server app without a token store has the type of a client app, but not of one with a token store', () => {
  expectTypeOf<everything.StackServerApp<false>>().toExtend<everything.StackClientApp>();
  expectTypeOf<everything.StackAdminApp<false>>().toExtend<everything.StackClientApp>();
  expectTypeOf<everything.StackServerApp<false>>().not.toExtend<everything.StackClientApp<true>>();
});

it('an app of the hosted service is made of its own JSON, with hooks', () => {
  const { StackClientApp } = everything;
  const options = { baseUrl: 'http://localhost:4280', projectId: 'p', publishableClientKey: 'pk' };
  const app = new StackClientApp({ ...options, tokenStore: 'memory' });
  const json = app[everything.stackAppInternalsSymbol].toClientJson();
  expect(json).toMatchObject(options);
  expect(StackClientApp[everything.stackAppInternalsSymbol].fromClientJson(json)).toBe(app);

  const other = StackClientApp[everything.stackAppInternalsSymbol].fromClientJson({
    ...json,
    uniqueIdentifier: 'other',
  });
  expect(other.useUser).toBeTypeOf('function');
  expect(other[everything.stackAppInternalsSymbol].toClientJson).toBeTypeOf('function');
  expect(app).toBeInstanceOf(StackClientApp);
});
