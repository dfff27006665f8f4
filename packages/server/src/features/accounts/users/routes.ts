import { fail, userEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { Project } from '../../../core/project.ts';
import type { CallUser, User } from '../../../core/user.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { storeImage } from '../../images/index.ts';
import { assertKeyUsable } from '../../projects/index.ts';
import { assertStrongPassword } from '../credentials/password-policy.ts';
import { assertRecentSignIn, holdCallerSession } from '../credentials/reauthentication.ts';
import { removeUser, totpSecretPurpose, type UserChangeDeps, updateUser } from './changes.ts';
import type { CreateUser } from './creation.ts';
import { listUsers } from './listing/listing.ts';
import { createSearchSample } from './listing/search-sample.ts';
import { assertProvidersConfigured, planNewUser } from './new-user/rules.ts';
import { changesOwnership } from './rules.ts';
import { changesSignIn } from './sign-in-methods/rules.ts';
import { selectUser } from './store.ts';
import { clientUser, newUserRequest, oauthAccounts, serverUser, userPatch, userView } from './wire.ts';

type UserRoutesDeps = UserChangeDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly rateLimits: RateLimits;
};

export function userRoutes(deps: UserRoutesDeps, createUser: CreateUser): BoundRoute[] {
  const readSample = createSearchSample(deps);
  return [
    bind(userEndpoints.readMe, async call => {
      const user = requireOwnUser(call);
      if (call.level === 'client') return clientUser(user);
      return serverUser(
        (await selectUser(deps.db, call.project.id, user.id)) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER'),
      );
    }),

    bind(userEndpoints.updateMe, async call => {
      const user = requireOwnUser(call);
      const patch = userPatch(call.body);
      if (changesSignIn(patch) || changesOwnership(patch, call.project)) await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(clientWriteUses(call, user));
      const updated = await updateUser(patch, { user, call }, deps);
      return userView(updated, call.level);
    }),

    bind(userEndpoints.list, async call => {
      const { users, nextCursor } = await listUsers(deps.db.reads, call.project.id, call.query, readSample);
      return { items: users.map(serverUser), is_paginated: true, pagination: { next_cursor: nextCursor } } as const;
    }),

    bind(userEndpoints.create, async call => {
      const requested = newUserRequest(call.body);
      if (changesOwnership(requested, call.project)) await assertRecentSignIn(call, deps);
      const planned = planNewUser(requested, call.project.config);
      const accounts = oauthAccounts(call.body);
      assertProvidersConfigured(accounts, call.project.config);
      const { password, totpSecret, profileImageUrl, ...rest } = planned;
      if (password !== null) {
        const addresses = [planned.primaryEmail?.value ?? null];
        await assertStrongPassword(password, { project: call.project, addresses }, deps);
      }
      const creation = {
        ...rest,
        profileImageUrl: await storeImage(profileImageUrl, call, deps),
        passwordHash: password === null ? planned.passwordHash : await deps.passwords.hash(password, call.project.id),
        totpSecret: totpSecret === null ? null : deps.secrets.encrypt(totpSecretPurpose, totpSecret),
        oauthAccounts: accounts,
        nowMillis: deps.clock.now(),
      };
      await assertKeyUsable(call, deps.projects);
      return transaction(deps.db, async tx => {
        const user = await createUser(tx, call.project, creation);
        await holdCallerSession(tx, call, deps);
        const event = { action: 'user.created', userId: user.id, atMillis: creation.nowMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        return serverUser(user);
      });
    }),

    bind(userEndpoints.read, async call => serverUser(await requireUser(call, deps))),

    bind(userEndpoints.update, async call => {
      const user = await requireUser(call, deps);
      const patch = userPatch(call.body);
      if (changesSignIn(patch) || changesOwnership(patch, call.project)) await assertRecentSignIn(call, deps);
      return serverUser(await updateUser(patch, { user, call }, deps));
    }),

    bind(userEndpoints.delete, async call => {
      const wasThere = await transaction(deps.db, async tx => {
        const isRemoved = await removeUser(tx, auditedBy(call), call.params.user_id, deps);
        await holdCallerSession(tx, call, deps);
        return isRemoved;
      });
      return wasThere ? ({ success: true } as const) : fail('USER_NOT_FOUND');
    }),
  ];
}

function requireOwnUser({ user }: Pick<Call, 'user'>): CallUser {
  return user ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
}

async function requireUser(
  call: { project: Project; params: { user_id: string } },
  deps: UserRoutesDeps,
): Promise<User> {
  return (await selectUser(deps.db, call.project.id, call.params.user_id)) ?? fail('USER_NOT_FOUND');
}
