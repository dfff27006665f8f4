import { randomUUID } from 'node:crypto';
import { fail } from '@tessera/protocol';
import { unreachable } from '../../../http/refusal.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { grantProjectDefaults } from '../../permissions/index.ts';
import type { Project } from '../../projects/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import { AddressTaken, insertUser, type NewUser, ProviderAccountTaken, selectUser, type User } from './store.ts';
import { serverUser } from './wire.ts';

export { assertStrongPassword } from '../credentials/password-policy.ts';
export {
  assertNotImpersonated,
  assertRecentSignIn,
  type Changing,
  holdCallerSession,
} from '../credentials/reauthentication.ts';
export { totpSecretPurpose } from './changes.ts';
export { applyUserChanges, deletePasskeys } from './changes-store.ts';
export { endPendingFlows } from './credentials-store.ts';
export { listUsers } from './listing.ts';
export { type AnyAccountNotice, passwordNotices, sendAccountNotice } from './notices.ts';
export { assertMayAddChannel, normalizedEmail } from './rules.ts';
export {
  AddressTaken,
  blocksAddress,
  type CallUser,
  countChannels,
  type FoundUser,
  hasChannel,
  holdUser,
  insertOAuthAccount,
  ProviderAccountTaken,
  refreshSearch,
  releaseAddress,
  selectCallUsers,
  selectCredential,
  selectUser,
  selectUsersById,
  setPasswordHash,
  type User,
} from './store.ts';
export { serverUser, userView } from './wire.ts';

/** A new user. */
export interface CreatedUser {
  readonly project: Project;
  readonly user: User;
  readonly nowMillis: number;
}

/** What a later feature does for a new user, in the same transaction. */
export type OnUserCreated = (tx: Transaction, created: CreatedUser) => Promise<void>;

export interface UserCreation extends Omit<NewUser, 'id' | 'signedUpAtMillis'> {
  readonly nowMillis: number;
}

/** Every sign-up method creates users with this function (docs/contract/sign-in-methods.md#user-creation). */
export type CreateUser = (tx: Transaction, project: Project, creation: UserCreation) => Promise<User>;

/**
 * The order follows docs/contract/users.md#side-effects: the user, default permissions, the steps of later features (for
 * example a personal team), the event. The event and the response show the user before the steps of later features.
 *
 * @param onUserCreated the steps of later features, in their order
 */
export function createUserCreation(onUserCreated: readonly OnUserCreated[]): CreateUser {
  return async (tx, project, { nowMillis, ...given }) => {
    const id = randomUUID();
    await insertUser(tx, project.id, { id, signedUpAtMillis: nowMillis, ...given }).catch((error: unknown) => {
      if (error instanceof AddressTaken) fail('USER_EMAIL_ALREADY_EXISTS', { email: given.primaryEmail?.value ?? '' });
      if (error instanceof ProviderAccountTaken) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
      throw error;
    });
    await grantProjectDefaults(tx, project, id);
    const user = (await selectUser(tx, project.id, id)) ?? unreachable('a user that was just made is not there');
    for (const join of onUserCreated) await join(tx, { project, user, nowMillis });
    await publishEvent(tx, { projectId: project.id, type: 'user.created', data: serverUser(user), nowMillis });
    return user;
  };
}
