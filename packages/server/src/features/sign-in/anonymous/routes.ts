import { anonymousEndpoints, fail } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, signUpUses } from '../../../platform/rate-limits/index.ts';
import type { CreateUser } from '../../accounts/users/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import { type FinishSignInDeps, startSession } from '../finish.ts';

export type AnonymousRoutesDeps = FinishSignInDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly rateLimits: RateLimits;
};

const displayName = 'Anonymous user';

/** docs/contract/sign-in-methods.md#anonymous-users. Every call creates a user, also when the caller has a session. */
export function anonymousRoutes(deps: AnonymousRoutesDeps, createUser: CreateUser): BoundRoute[] {
  return [
    bind(anonymousEndpoints.signUp, async call => {
      const { project, request, source } = call;
      if (!project.config.anonymousUsersEnabled) fail('ANONYMOUS_ACCOUNTS_NOT_ENABLED');
      // A user of `internal` may become an owner, so anonymous sign-up needs the sign-up switch there.
      if (project.id === 'internal' && !project.config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
      await deps.rateLimits.spend(signUpUses(call));
      const nothing = { passwordHash: null, primaryEmail: null };
      const creation = { displayName, isAnonymous: true, ...nothing, nowMillis: deps.clock.now() };
      const terms = await sessionTermsOf(project.id, deps);
      const passed = { projectId: project.id, isNewUser: true, request, source, method: 'anonymous', terms };
      return transaction(deps.db, async tx => {
        const user = await createUser(tx, project, creation);
        return startSession(tx, { ...passed, userId: user.id }, deps);
      });
    }),
  ];
}
