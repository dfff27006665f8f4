import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import * as index from './index.ts';
import * as door from './internals.ts';
import * as stack from './stack.ts';
import { adminApp, clientApp, machine, serverApp } from './test/apps.ts';
import { noConnection } from './test/stub-server.ts';
import { clientVersion } from './util/version.ts';

test('the names that the doors export', () => {
  const names = { index, stack, internals: door };
  expect(
    Object.fromEntries(Object.entries(names).map(([name, module]) => [name, Object.keys(module).sort()])),
  ).toMatchInlineSnapshot(`
    {
      "index": [
        "AdminApp",
        "ClientApp",
        "KnownError",
        "KnownErrors",
        "RequestError",
        "SdkError",
        "ServerApp",
        "createTotpEnrolment",
        "internals",
        "isKnown",
      ],
      "internals": [
        "extendEntities",
        "fromClientJson",
        "internals",
        "notSignedIn",
        "toClientJson",
      ],
      "stack": [
        "AdminApp",
        "ClientApp",
        "KnownError",
        "KnownErrors",
        "RequestError",
        "SdkError",
        "ServerApp",
        "StackAdminApp",
        "StackClientApp",
        "StackServerApp",
        "createTotpEnrolment",
        "internals",
        "isKnown",
        "stackAppInternalsSymbol",
      ],
    }
  `);
});

/** Types leave no trace at run time, so the names stand in the source of the door. */
function typesOf(door: string): string[] {
  const source = readFileSync(join(import.meta.dirname, door), 'utf8');
  const lists = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)];
  const fromLists = lists.flatMap(([, isType, names = '']) =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && (isType !== undefined || name.startsWith('type ')))
      .map(name => name.replace(/^type /, '').replace(/^.* as /, '')),
  );
  const declared = [...source.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name);
  return [...fromLists, ...declared].sort();
}

test('the types that the doors export', () => {
  expect({ index: typesOf('index.ts'), stack: typesOf('stack.ts') }).toMatchInlineSnapshot(`
    {
      "index": [
        "ActiveSession",
        "AdminAppConstructor",
        "AdminAppMethods",
        "AdminAppOptions",
        "AdminDomainConfig",
        "AdminEmailConfig",
        "AdminEmailTemplate",
        "AdminOAuthProviderConfig",
        "AdminOwnedProject",
        "AdminProject",
        "AdminProjectConfig",
        "AdminProjectConfigUpdate",
        "AdminProjectCreateOptions",
        "AdminProjectPermissionDefinition",
        "AdminProjectUpdateOptions",
        "AdminSentEmail",
        "AdminTeamPermissionDefinition",
        "ApiKey",
        "ApiKeyCreateOptions",
        "ApiKeyUpdateOptions",
        "AppFields",
        "AppMethods",
        "Caught",
        "ClientAppConstructor",
        "ClientAppJson",
        "ClientAppOptions",
        "ConnectedAccountOptions",
        "Connection",
        "ContactChannel",
        "ContactChannelCreateOptions",
        "ContactChannelUpdateOptions",
        "CurrentServerUser",
        "CurrentUser",
        "DayCount",
        "EditableTeamMemberProfile",
        "EmailConfig",
        "EmailMethods",
        "EmailReads",
        "EmailTemplateType",
        "Failed",
        "GeoInfo",
        "GetCurrentUser",
        "GetServerUser",
        "GetUserOptions",
        "HandlerUrls",
        "HasId",
        "InternalApiKey",
        "InternalApiKeyCreateOptions",
        "InternalApiKeyFirstView",
        "InternalSession",
        "InternalUserPart",
        "Json",
        "ListPermissionsOptions",
        "ListUsersOptions",
        "Metrics",
        "NextFunctions",
        "NotificationCategory",
        "OAuthConnection",
        "Ok",
        "Or",
        "PasskeySignInOptions",
        "PermissionDefinitionCreateOptions",
        "PermissionDefinitionUpdateOptions",
        "ProductionModeError",
        "Project",
        "ProjectConfig",
        "ProjectPermission",
        "ProviderId",
        "RedirectMethod",
        "RedirectToOptions",
        "RequestFailure",
        "RequestLike",
        "Result",
        "SdkErrorCode",
        "ServerAppConstructor",
        "ServerAppMethods",
        "ServerAppOptions",
        "ServerContactChannel",
        "ServerContactChannelCreateOptions",
        "ServerContactChannelUpdateOptions",
        "ServerTeam",
        "ServerTeamCreateOptions",
        "ServerTeamUpdateOptions",
        "ServerTeamUser",
        "ServerUser",
        "ServerUserCreateOptions",
        "ServerUserFields",
        "ServerUserJson",
        "ServerUserUpdateOptions",
        "Session",
        "SignOutOptions",
        "Team",
        "TeamApiKey",
        "TeamApiKeyFirstView",
        "TeamById",
        "TeamCreateOptions",
        "TeamInvitation",
        "TeamMemberProfile",
        "TeamPermission",
        "TeamUpdateOptions",
        "TeamUser",
        "TokenStoreInit",
        "Tokens",
        "TotpEnrolment",
        "User",
        "UserApiKey",
        "UserApiKeyFirstView",
        "UserById",
        "UserFields",
        "UserJson",
        "UserPage",
        "UserUpdateOptions",
      ],
      "stack": [
        "AdminProjectPermission",
        "AdminTeamPermission",
        "ServerListUsersOptions",
        "StackAdminApp",
        "StackAdminAppConstructor",
        "StackAdminAppConstructorOptions",
        "StackClientApp",
        "StackClientAppConstructor",
        "StackClientAppConstructorOptions",
        "StackClientAppJson",
        "StackServerApp",
        "StackServerAppConstructor",
        "StackServerAppConstructorOptions",
      ],
    }
  `);
});

test('the members of an app', () => {
  expect(Object.keys(clientApp(machine(noConnection))).sort()).toMatchInlineSnapshot(`
    [
      "acceptTeamInvitation",
      "callOAuthCallback",
      "getProject",
      "getTeamInvitationDetails",
      "getUser",
      "projectId",
      "promptCliLogin",
      "redirectToAccountSettings",
      "redirectToAfterSignIn",
      "redirectToAfterSignOut",
      "redirectToAfterSignUp",
      "redirectToEmailVerification",
      "redirectToError",
      "redirectToForgotPassword",
      "redirectToHome",
      "redirectToMagicLinkCallback",
      "redirectToMfa",
      "redirectToOAuthCallback",
      "redirectToPasswordReset",
      "redirectToSignIn",
      "redirectToSignOut",
      "redirectToSignUp",
      "redirectToTeamInvitation",
      "resetPassword",
      "sendForgotPasswordEmail",
      "sendMagicLinkEmail",
      "signInWithCredential",
      "signInWithMagicLink",
      "signInWithMfa",
      "signInWithOAuth",
      "signInWithPasskey",
      "signOut",
      "signUpWithCredential",
      "urls",
      "verifyEmail",
      "verifyPasswordResetCode",
      "verifyTeamInvitationCode",
    ]
  `);
});

test('the members that a server and an owner have on top', () => {
  const names = (app: object) => Object.keys(app).sort();
  const ofClient = names(clientApp(machine(noConnection)));
  const ofServer = names(serverApp(machine(noConnection)));
  const ofAdmin = names(adminApp(machine(noConnection)));
  expect(ofClient.every(name => ofServer.includes(name))).toBe(true);
  expect(ofServer.every(name => ofAdmin.includes(name))).toBe(true);
  expect(ofServer.filter(name => !ofClient.includes(name))).toMatchInlineSnapshot(`
    [
      "createTeam",
      "createUser",
      "getServerUser",
      "getTeam",
      "listTeams",
      "listUsers",
      "sendEmail",
    ]
  `);
  expect(ofAdmin.filter(name => !ofServer.includes(name))).toMatchInlineSnapshot(`
    [
      "createInternalApiKey",
      "createProjectPermissionDefinition",
      "createTeamPermissionDefinition",
      "deleteProjectPermissionDefinition",
      "deleteTeamPermissionDefinition",
      "listEmailTemplates",
      "listInternalApiKeys",
      "listProjectPermissionDefinitions",
      "listSentEmails",
      "listTeamPermissionDefinitions",
      "resetEmailTemplate",
      "sendSignInInvitationEmail",
      "sendTestEmail",
      "updateEmailTemplate",
      "updateProjectPermissionDefinition",
      "updateTeamPermissionDefinition",
    ]
  `);
});

test('the version that is sent is the one of the package', () => {
  expect(clientVersion).toBe(`js ${manifest.name}@${manifest.version}`);
});
