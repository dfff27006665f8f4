import { expect, it } from 'vitest';
import * as everything from './index.ts';

it('exports what it promises', () => {
  expect(Object.keys(everything).sort()).toMatchInlineSnapshot(`
    [
      "AdminApp",
      "AuthPage",
      "ClientApp",
      "CredentialSignIn",
      "CredentialSignUp",
      "EmailVerification",
      "ErrorPage",
      "MessageCard",
      "ServerApp",
      "SignIn",
      "SignOut",
      "SignUp",
      "StackAdminApp",
      "StackClientApp",
      "StackHandler",
      "StackProvider",
      "StackServerApp",
      "StackTheme",
      "TesseraHandler",
      "TesseraProvider",
      "TesseraTheme",
      "UserAvatar",
      "UserButton",
      "useApp",
      "useStackApp",
      "useUser",
    ]
  `);
});
