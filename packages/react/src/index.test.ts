import { expect, it } from 'vitest';
import * as everything from './index.ts';

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
