import type { BoundRoute } from '../../../http/bind.ts';
import type { OpenAccount, UpgradeOnProof } from '../accounts.ts';
import type { CredentialRemoval } from '../credential-removal.ts';
import { type PasswordChangeDeps, passwordChangeRoutes } from './password-change.ts';
import { type PasswordResetDeps, passwordResetRoutes } from './password-reset.ts';
import { type PasswordSignInDeps, passwordSignInRoutes } from './sign-in.ts';
import { type PasswordSignUpDeps, passwordSignUpRoutes } from './sign-up.ts';

export type PasswordRoutesDeps = PasswordChangeDeps & PasswordResetDeps & PasswordSignInDeps & PasswordSignUpDeps;

/** docs/contract/sign-in-methods.md#password */
export function passwordRoutes(
  deps: PasswordRoutesDeps,
  steps: { openAccount: OpenAccount; credentialRemoval: CredentialRemoval; upgradeOnProof: UpgradeOnProof },
): BoundRoute[] {
  return [
    ...passwordSignUpRoutes(deps, steps.openAccount),
    ...passwordSignInRoutes(deps),
    ...passwordChangeRoutes(deps),
    ...passwordResetRoutes(deps, steps),
  ];
}
