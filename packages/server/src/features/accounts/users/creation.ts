import { randomUUID } from 'node:crypto';
import { fail } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { User } from '../../../core/user.ts';
import { unreachable } from '../../../http/refusal.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { grantProjectDefaults } from '../../permissions/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import { AddressTaken, releaseAddress } from '../contact-channels/claims-store.ts';
import { ProviderAccountTaken } from '../credentials/index.ts';
import { insertUser, type NewUser, selectUser } from './store.ts';
import { serverUser } from './wire.ts';

/** A new user. */
interface CreatedUser {
  readonly project: Project;
  readonly user: User;
  readonly nowMillis: number;
}

/** What a later feature does for a new user, in the same transaction. */
export type OnUserCreated = (tx: Transaction, created: CreatedUser) => Promise<void>;

export interface UserCreation extends Omit<NewUser, 'id' | 'signedUpAtMillis'> {
  readonly nowMillis: number;
  /** The sign-up time in another system. Default: now. */
  readonly signedUpAtMillis?: number;
}

/** Every sign-up method creates users with this function (docs/contract/sign-in-methods.md#user-creation). */
export type CreateUser = (tx: Transaction, project: Project, creation: UserCreation) => Promise<User>;

/**
 * The order follows docs/contract/users.md#side-effects: the user, default permissions, the steps of later features (for
 * example a personal team), the event. The event and the response show the user before the steps of later features. A sign-in
 * address that another account has not proved, and that is free for others, goes to the new user.
 *
 * @param onUserCreated the steps of later features, in their order
 */
export function createUserCreation(onUserCreated: readonly OnUserCreated[]): CreateUser {
  return async (tx, project, { nowMillis, signedUpAtMillis = nowMillis, ...given }) => {
    const id = randomUUID();
    const { primaryEmail } = given;
    if (primaryEmail?.usedForAuth === true) {
      await releaseAddress(tx, { projectId: project.id, address: primaryEmail.value, userId: null, nowMillis });
    }
    await insertUser(tx, project.id, { id, signedUpAtMillis, ...given }).catch((error: unknown) => {
      if (error instanceof AddressTaken) fail('USER_EMAIL_ALREADY_EXISTS', { email: primaryEmail?.value ?? '' });
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
