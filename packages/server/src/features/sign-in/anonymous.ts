import { anonymousEndpoints, fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { transaction } from '../../platform/db.ts';
import { updateProjectConfig } from '../projects/index.ts';
import { signingKeysFor } from '../sessions/index.ts';
import type { CreateUser } from '../users/index.ts';
import { startSession } from './finish.ts';

const displayName = 'Anonymous user';

/** sign-in-methods.md 5. Every call makes a new user, also when a session is sent along. */
export function anonymousRoutes(deps: Deps, createUser: CreateUser): BoundRoute[] {
  return [
    bind(anonymousEndpoints.signUp, async ({ project, request }) => {
      if (!project.config.anonymousUsersEnabled) fail('ANONYMOUS_ACCOUNTS_NOT_ENABLED');
      const nothing = { passwordHash: null, primaryEmail: null };
      const creation = { displayName, isAnonymous: true, ...nothing, nowMillis: deps.clock.now() };
      const signingKeys = await signingKeysFor(project.id, deps);
      return transaction(deps.db, async tx => {
        const user = await createUser(tx, project, creation);
        return startSession(tx, { projectId: project.id, userId: user.id, request, signingKeys }, deps);
      });
    }),

    bind(anonymousEndpoints.readSetting, ({ project }) => ({ enabled: project.config.anonymousUsersEnabled })),

    bind(anonymousEndpoints.updateSetting, async ({ project, body }) => {
      const changes = { anonymousUsersEnabled: body.enabled };
      await transaction(deps.db, tx => updateProjectConfig(tx, project.id, changes));
      return { enabled: body.enabled };
    }),
  ];
}
