import { fail, internalApiKeyEndpoints, keySetsMax, roleOf } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { assertRoleHeld } from '../members/held-role.ts';
import { type Projects, publishProjectChange } from '../projects.ts';
import { applyKeySetChanges } from '../rules.ts';
import { lockProjectRecord } from '../store.ts';
import { generateKeys } from './generated-keys.ts';
import { selectLastUses } from './last-use-store.ts';
import { countOpenKeySets, insertKeySet, lockKeySet, selectKeySet, selectKeySets, updateKeySet } from './store.ts';
import { createdKeySetView, keySetView, wantedKinds } from './wire.ts';

export interface InternalApiKeysRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
}

/** docs/contract/api-keys.md#internal-api-keys */
export function keySetRoutes(deps: InternalApiKeysRoutesDeps): BoundRoute[] {
  return [
    bind(internalApiKeyEndpoints.create, async call => {
      const { project, body, ownerId } = call;
      const keys = generateKeys(wantedKinds(body));
      const createdAtMillis = deps.clock.now();
      const set = { projectId: project.id, description: body.description, source: 'project' } as const;
      const expiresAtMillis = body.expires_at_millis;
      const created = await transaction(deps.db, async tx => {
        // Locks the project, so that no key is created for a project that is being deleted.
        (await lockProjectRecord(tx, project.id)) ?? fail('PROJECT_NOT_FOUND', { project_id: project.id });
        // An admin key may delete the project, which an admin may not.
        const lowest = body.has_super_secret_admin_key ? 'owner' : roleOf(internalApiKeyEndpoints.create);
        if (ownerId !== undefined) await assertRoleHeld(tx, { projectId: project.id, ownerId }, lowest);
        if ((await countOpenKeySets(tx, project.id)) >= keySetsMax) {
          refuse(400, `The project has ${keySetsMax} key sets that are not revoked. Revoke those that are not used.`);
        }
        const keySet = await insertKeySet(tx, { ...set, keys, createdAtMillis, expiresAtMillis });
        await publishProjectChange(tx, project.id, deps);
        const subject = { type: 'key_set', id: keySet.id };
        const details = { kinds: Object.keys(keys), description: keySet.description };
        const event = { action: 'key_set.created', subject, details, atMillis: createdAtMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        return keySet;
      });
      return createdKeySetView(created, keys);
    }),

    bind(internalApiKeyEndpoints.list, async ({ project }) => {
      const sets = await selectKeySets(deps.db, project.id);
      return { items: sets.map(keySetView), is_paginated: false } as const;
    }),

    bind(internalApiKeyEndpoints.listUses, async ({ project }) => {
      const uses = await selectLastUses(deps.db, project.id);
      const items = uses.map(({ id, lastUsedAtMillis }) => ({ id, last_used_at_millis: lastUsedAtMillis }));
      return { items, is_paginated: false } as const;
    }),

    bind(internalApiKeyEndpoints.read, async ({ project, params }) =>
      keySetView((await selectKeySet(deps.db, project.id, params.id)) ?? fail('API_KEY_NOT_FOUND')),
    ),

    bind(internalApiKeyEndpoints.update, async call => {
      const { project, params, body } = call;
      const changes = { description: body.description, isRevoked: body.revoked ?? false };
      const atMillis = deps.clock.now();
      const changed = await transaction(deps.db, async tx => {
        const before = (await lockKeySet(tx, project.id, params.id)) ?? fail('API_KEY_NOT_FOUND');
        const after = applyKeySetChanges(before, changes, atMillis);
        await updateKeySet(tx, project.id, after);
        await publishProjectChange(tx, project.id, deps);
        const isNewlyRevoked = before.manuallyRevokedAtMillis !== after.manuallyRevokedAtMillis;
        const action = isNewlyRevoked ? 'key_set.revoked' : 'key_set.changed';
        const event = { ...auditedBy(call), action, subject: { type: 'key_set', id: after.id }, atMillis } as const;
        if (isNewlyRevoked || before.description !== after.description) await recordAudit(tx, event);
        return after;
      });
      return keySetView(changed);
    }),
  ];
}
