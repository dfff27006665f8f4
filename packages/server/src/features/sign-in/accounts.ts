import { fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { unreachable } from '../../http/refusal.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  AddressTaken,
  applyUserChanges,
  type CallUser,
  type Changing,
  type CreateUser,
  hasChannel,
  holdCallerSession,
  insertOAuthAccount,
  type OnUserCreated,
  ProviderAccountTaken,
  releaseAddress,
  selectUser,
  serverUser,
  type User,
  type UserCreation,
} from '../accounts/users/index.ts';
import type { Project } from '../projects/index.ts';
import { deleteSessions } from '../sessions/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import { keepsCredentials } from './rules.ts';
import { lockAnonymousUser, removeAnonymousCredentials } from './store.ts';

/** Opens an account: creates a user, or upgrades the anonymous user who calls. */
export type OpenAccount = (
  tx: Transaction,
  request: {
    project: Project;
    caller: CallUser | null;
    creation: UserCreation;
    /** The call of an anonymous user, whose session must be open; absent when the session is held already. */
    call?: Changing;
  },
) => Promise<User>;

/**
 * @param onUserUpgraded what later features do when an anonymous user is upgraded, in their order
 */
export function createAccountOpening(
  createUser: CreateUser,
  onUserUpgraded: readonly OnUserCreated[],
  { clock }: Pick<Deps, 'clock'>,
): OpenAccount {
  return async (tx, { project, caller, creation, call }) => {
    const { primaryEmail, nowMillis } = creation;
    if (primaryEmail?.usedForAuth === true) {
      const userId = caller?.isAnonymous === true ? caller.id : null;
      await releaseAddress(tx, { projectId: project.id, address: primaryEmail.value, userId, nowMillis });
    }
    const anonymous = caller?.isAnonymous === true ? await lockAnonymousUser(tx, project.id, caller.id) : undefined;
    if (caller === null || anonymous === undefined) return createUser(tx, project, creation);
    if (call !== undefined) await holdCallerSession(tx, call, { clock });
    if (!keepsCredentials(primaryEmail, anonymous.verifiedAddresses)) {
      const address = primaryEmail?.value ?? null;
      await removeAnonymousCredentials(tx, { projectId: project.id, userId: caller.id, address });
    }
    const user = await upgradeUser(tx, { project, userId: caller.id, creation });
    for (const join of onUserUpgraded) await join(tx, { project, user, nowMillis: creation.nowMillis });
    return user;
  };
}

/** Upgrades an anonymous user: id, teams and metadata stay, and earlier sessions end (control 36). */
async function upgradeUser(
  tx: Transaction,
  { project, userId, creation }: { project: Project; userId: string; creation: UserCreation },
): Promise<User> {
  const { displayName, profileImageUrl, passwordHash, otpAuthEnabled, primaryEmail, nowMillis } = creation;
  const subject = { projectId: project.id, userId, nowMillis };
  const address = primaryEmail?.value ?? '';
  const addressChange = primaryEmail === null ? [] : [await primaryEmailChange(tx, subject, primaryEmail)];
  await applyUserChanges(tx, subject, [
    { kind: 'isAnonymous', value: false },
    ...(displayName === null ? [] : [{ kind: 'displayName', value: displayName } as const]),
    ...(profileImageUrl == null ? [] : [{ kind: 'profileImageUrl', value: profileImageUrl } as const]),
    ...(passwordHash === null ? [] : [{ kind: 'passwordHash', value: passwordHash } as const]),
    ...(otpAuthEnabled === true ? [{ kind: 'otpAuthEnabled', value: true } as const] : []),
    ...addressChange,
  ]).catch((error: unknown) => {
    if (error instanceof AddressTaken) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });
    throw error;
  });
  for (const account of creation.oauthAccounts ?? []) {
    await insertOAuthAccount(tx, project.id, { ...account, userId, nowMillis }).catch((error: unknown) => {
      if (error instanceof ProviderAccountTaken) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
      throw error;
    });
  }
  await deleteSessions(tx, project.id, userId, null);
  const user = (await selectUser(tx, project.id, userId)) ?? unreachable('an account without its user');
  await publishEvent(tx, { projectId: project.id, type: 'user.updated', data: serverUser(user), nowMillis });
  return user;
}

async function primaryEmailChange(
  tx: Transaction,
  { projectId, userId }: { projectId: string; userId: string },
  primaryEmail: NonNullable<UserCreation['primaryEmail']>,
) {
  const current = (await selectUser(tx, projectId, userId))?.primaryEmail ?? null;
  const isOtherChannel =
    current !== primaryEmail.value && (await hasChannel(tx, projectId, userId, primaryEmail.value));
  if (isOtherChannel) return { kind: 'switchPrimaryEmail', ...primaryEmail } as const;
  return { kind: current === null ? 'createPrimaryEmail' : 'updatePrimaryEmail', ...primaryEmail } as const;
}
