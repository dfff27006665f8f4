import type { BoundRoute } from '../../http/bind.ts';
import type { CreateUser } from '../accounts/users/index.ts';
import type { OpenAccount, UpgradeOnProof } from './accounts.ts';
import { type AnonymousRoutesDeps, anonymousRoutes } from './anonymous/routes.ts';
import { type CliLoginRoutesDeps, cliRoutes } from './cli-login/routes.ts';
import type { CredentialRemoval } from './credential-removal.ts';
import { type OneTimeCodeRoutesDeps, otpRoutes } from './one-time-code/routes.ts';
import { type PasswordRoutesDeps, passwordRoutes } from './password/routes.ts';
import { type CompleteLink, mfaRoutes, type SecondFactorRoutesDeps } from './second-factor/routes.ts';

type SignInRoutesDeps = AnonymousRoutesDeps &
  CliLoginRoutesDeps &
  OneTimeCodeRoutesDeps &
  PasswordRoutesDeps &
  SecondFactorRoutesDeps;

/** The routes of every sign-in method except OAuth and passkeys. */
export function signInRoutes(
  deps: SignInRoutesDeps,
  steps: {
    createUser: CreateUser;
    openAccount: OpenAccount;
    credentialRemoval: CredentialRemoval;
    completeLink: CompleteLink;
    upgradeOnProof: UpgradeOnProof;
  },
): BoundRoute[] {
  const { createUser, openAccount } = steps;
  return [
    ...passwordRoutes(deps, steps),
    ...otpRoutes(deps, openAccount),
    ...mfaRoutes(deps, steps.completeLink),
    ...anonymousRoutes(deps, createUser),
    ...cliRoutes(deps),
  ];
}
