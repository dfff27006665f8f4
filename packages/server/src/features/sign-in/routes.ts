import type { Deps } from '../../deps.ts';
import type { BoundRoute } from '../../http/bind.ts';
import type { CreateUser, OnUserCreated } from '../accounts/users/index.ts';
import { createAccountOpening } from './accounts.ts';
import { anonymousRoutes } from './anonymous/routes.ts';
import { cliRoutes } from './cli-login/routes.ts';
import { otpRoutes } from './one-time-code/routes.ts';
import { passwordRoutes } from './password/routes.ts';
import { mfaRoutes } from './second-factor/routes.ts';

/** Every way to sign in. */
export function signInRoutes(
  deps: Deps,
  { createUser, onUserNamed }: { createUser: CreateUser; onUserNamed: readonly OnUserCreated[] },
): BoundRoute[] {
  const openAccount = createAccountOpening(createUser, onUserNamed);
  return [
    ...passwordRoutes(deps, openAccount),
    ...otpRoutes(deps, openAccount),
    ...mfaRoutes(deps),
    ...anonymousRoutes(deps, createUser),
    ...cliRoutes(deps),
  ];
}
