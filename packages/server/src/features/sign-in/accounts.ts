import { fail } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import type { CallUser, User } from '../../core/user.ts';
import { unreachable } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  AddressTaken,
  hasChannel,
  releaseAddress,
  selectVerifiedAddresses,
} from '../accounts/contact-channels/index.ts';
import { insertOAuthAccount, ProviderAccountTaken } from '../accounts/credentials/index.ts';
import {
  applyUserChanges,
  type CreateUser,
  holdCallerSession,
  lockUser,
  type OnUserCreated,
  type SensitiveCaller,
  selectUser,
  serverUser,
  type UserCreation,
} from '../accounts/users/index.ts';
import { deleteSessions } from '../sessions/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import type { CredentialRemoval } from './credential-removal.ts';
import { keepsCredentials } from './rules.ts';

/** Opens an account: creates a user, or upgrades the anonymous user who calls. */
export type OpenAccount = (
  tx: Transaction,
  request: {
    project: Project;
    caller: CallUser | null;
    creation: UserCreation;
    /** The call of an anonymous user, whose session must be open; absent when the session is held already. */
    call?: SensitiveCaller;
  },
) => Promise<User>;

interface AccountSteps {
  readonly createUser: CreateUser;
  /** What later features do when an anonymous user is upgraded, in their order. */
  readonly onUserUpgraded: readonly OnUserCreated[];
  readonly credentialRemoval: CredentialRemoval;
}

export function createAccountOpening(
  { createUser, onUserUpgraded, credentialRemoval }: AccountSteps,
  { clock }: { readonly clock: Clock },
): OpenAccount {
  return async (tx, { project, caller, creation, call }) => {
    if (caller?.isAnonymous !== true) return createUser(tx, project, creation);
    const { primaryEmail, nowMillis } = creation;
    if (primaryEmail?.usedForAuth === true) {
      await releaseAddress(tx, { projectId: project.id, address: primaryEmail.value, userId: caller.id, nowMillis });
    }
    if (!(await lockAnonymousUser(tx, project.id, caller.id))) return createUser(tx, project, creation);
    if (call !== undefined) await holdCallerSession(tx, call, { clock });
    if (!keepsCredentials(primaryEmail, await selectVerifiedAddresses(tx, project.id, caller.id))) {
      const anonymous = { projectId: project.id, userId: caller.id };
      await credentialRemoval.removeAll(tx, anonymous, primaryEmail?.value ?? null);
    }
    const user = await upgradeUser(tx, { project, userId: caller.id, creation });
    for (const join of onUserUpgraded) await join(tx, { project, user, nowMillis: creation.nowMillis });
    return user;
  };
}

/** Makes an anonymous user, whose row the caller has locked and who has proved an address, an ordinary one. */
export type UpgradeOnProof = (
  tx: Transaction,
  proof: { project: Project; userId: string; nowMillis: number },
) => Promise<void>;

export function createUpgradeOnProof(onUserUpgraded: AccountSteps['onUserUpgraded']): UpgradeOnProof {
  return async (tx, { project, userId, nowMillis }) => {
    const user = await selectUser(tx, project.id, userId);
    if (user?.isAnonymous !== true) return;
    const subject = { projectId: project.id, userId, nowMillis };
    await applyUserChanges(tx, subject, [{ kind: 'isAnonymous', value: false }]);
    for (const join of onUserUpgraded) await join(tx, { project, user: { ...user, isAnonymous: false }, nowMillis });
  };
}

/**
 * Locks an anonymous user against everything that refers to the row, so that no credential is added until the
 * transaction ends.
 *
 * @returns false when the user is not anonymous any more, or is deleted
 */
async function lockAnonymousUser(tx: Transaction, projectId: string, userId: string): Promise<boolean> {
  return (await lockUser(tx, { projectId, userId }, 'exclude'))?.isAnonymous === true;
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
    await insertOAuthAccount(tx, { projectId: project.id, userId }, account, nowMillis).catch((error: unknown) => {
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
