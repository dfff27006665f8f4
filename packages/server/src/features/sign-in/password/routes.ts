import type { Deps } from '../../../deps.ts';
import type { BoundRoute } from '../../../http/bind.ts';
import type { OpenAccount } from '../accounts.ts';
import { passwordChangeRoutes } from './password-change.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { passwordSignInRoutes } from './sign-in.ts';
import { passwordSignUpRoutes } from './sign-up.ts';

/** docs/contract/sign-in-methods.md#password */
export function passwordRoutes(deps: Deps, openAccount: OpenAccount): BoundRoute[] {
  return [
    ...passwordSignUpRoutes(deps, openAccount),
    ...passwordSignInRoutes(deps),
    ...passwordChangeRoutes(deps),
    ...passwordResetRoutes(deps),
  ];
}
