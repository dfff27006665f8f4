import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import * as index from './index.ts';
import * as door from './internals.ts';
import * as stack from './stack.ts';
import { adminApp, clientApp, machine, serverApp } from './test/apps.ts';
import { noConnection } from './test/stub-server.ts';
import { clientVersion } from './version.ts';

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
