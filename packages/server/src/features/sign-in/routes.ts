import type { Deps } from '../../deps.ts';
import type { BoundRoute } from '../../http/bind.ts';
import type { CreateUser, OnUserCreated } from '../users/index.ts';
import { createAccountOpening } from './accounts.ts';
import { anonymousRoutes } from './anonymous.ts';
import { cliRoutes } from './cli.ts';
import { mfaRoutes } from './mfa.ts';
import { otpRoutes } from './otp.ts';
import { passwordRoutes } from './password.ts';

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
