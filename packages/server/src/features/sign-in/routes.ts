import type { Deps } from '../../deps.ts';
import type { BoundRoute } from '../../http/bind.ts';
import type { CreateUser, OnUserCreated } from '../accounts/users/index.ts';
import { createAccountOpening } from './accounts.ts';
import { anonymousRoutes } from './anonymous/routes.ts';
import { cliRoutes } from './cli-login/routes.ts';
import { otpRoutes } from './one-time-code/routes.ts';
import { passwordRoutes } from './password/routes.ts';
import { mfaRoutes } from './second-factor/routes.ts';

/** The routes of every sign-in method except OAuth and passkeys. */
export function signInRoutes(
  deps: Deps,
  { createUser, onUserUpgraded }: { createUser: CreateUser; onUserUpgraded: readonly OnUserCreated[] },
): BoundRoute[] {
  const openAccount = createAccountOpening(createUser, onUserUpgraded, deps);
  return [
    ...passwordRoutes(deps, openAccount),
    ...otpRoutes(deps, openAccount),
    ...mfaRoutes(deps),
    ...anonymousRoutes(deps, createUser),
    ...cliRoutes(deps),
  ];
}
