import type { BoundRoute } from '../../../http/bind.ts';
import { type PasskeyAuthenticationDeps, passkeyAuthenticationRoutes } from './authentication.ts';
import { type OwnPasskeyDeps, ownPasskeyRoutes } from './own-passkeys.ts';
import { type PasskeyRegistrationDeps, passkeyRegistrationRoutes } from './registration.ts';

/** docs/contract/sign-in-methods.md#passkeys */
export function passkeyRoutes(
  deps: PasskeyAuthenticationDeps & PasskeyRegistrationDeps & OwnPasskeyDeps,
): BoundRoute[] {
  return [...passkeyRegistrationRoutes(deps), ...passkeyAuthenticationRoutes(deps), ...ownPasskeyRoutes(deps)];
}
