import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import * as index from './index.ts';
import * as door from './internals.ts';
import * as stack from './stack.ts';
import { clientApp, machine } from './test/apps.ts';
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
        "internals",
        "isKnown",
      ],
      "internals": [
        "internals",
        "notSignedIn",
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
      "getProject",
      "getUser",
      "projectId",
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
      "signInWithCredential",
      "signOut",
      "signUpWithCredential",
      "urls",
      "verifyEmail",
    ]
  `);
});

test('the version that is sent is the one of the package', () => {
  expect(clientVersion).toBe(`js ${manifest.name}@${manifest.version}`);
});
