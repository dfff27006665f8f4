import { fail, isKnown } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { insertOAuthAccount, ProviderAccountTaken } from '../../accounts/credentials/index.ts';
import { lockUser, normalizedEmail, selectUser } from '../../accounts/users/index.ts';
import { holdOpenSession } from '../../sessions/index.ts';
import type { OpenAccount } from '../../sign-in/index.ts';
import { configuredProvider } from '../providers/clients.ts';
import { type AccountFacts, type AccountPlan, type FlowPurpose, type Profile, planAccount } from '../rules.ts';
import { holdEmailOwner, holdOwner, selectLinkedAccountIds } from '../store.ts';

/** A completed sign-in at a provider. */
export interface ProviderReturn {
  readonly project: Project;
  readonly providerId: string;
  readonly purpose: FlowPurpose;
  readonly profile: Profile;
}

export interface Account {
  readonly userId: string;
  readonly isNewUser: boolean;
  /** The provider account was added to an existing user. */
  readonly isAttached: boolean;
}

const maxRaces = 3;

/** Repeats a transaction that lost a race for a provider account or an address. */
export async function retryLostRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let race = 1; ; race++) {
    try {
      return await work();
    } catch (error) {
      if (race >= maxRaces || !isLostRace(error)) throw error;
    }
  }
}

function isLostRace(error: unknown): boolean {
  return (
    isKnown(error, 'USER_EMAIL_ALREADY_EXISTS') || isKnown(error, 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER')
  );
}

/**
 * Plans what the sign-in does to accounts. The rows that the plan depends on stay locked until the transaction ends.
 *
 * @param learnOwner receives the owner of the profile's address, also when the plan is refused
 * @throws the errors of docs/contract/oauth.md#callback-errors about accounts
 */
export async function planSignIn(
  tx: Transaction,
  providerReturn: ProviderReturn,
  learnOwner: (userId: string) => void,
): Promise<AccountPlan> {
  configuredProvider(providerReturn.providerId, providerReturn.project.config);
  const facts = await readFacts(tx, providerReturn);
  if (facts.emailOwner !== undefined) learnOwner(facts.emailOwner.userId);
  return planAccount(providerReturn.purpose, providerReturn.profile, facts, providerReturn.project.config);
}

async function readFacts(
  tx: Transaction,
  { project, providerId, purpose, profile }: ProviderReturn,
): Promise<AccountFacts> {
  const { accountId, email } = profile;
  // Concurrent links to the user wait.
  const linking = purpose.type === 'link' ? { projectId: project.id, userId: purpose.userId } : undefined;
  if (linking !== undefined && (await lockUser(tx, linking, 'change')) === undefined) {
    refuse(400, 'The user who wanted to connect an account has been deleted.');
  }
  const ownerId = await holdOwner(tx, project.id, { providerId, accountId });
  if (purpose.type === 'link') {
    const linked = { providerId, userId: purpose.userId };
    return { ownerId, emailOwner: undefined, linkedAccountIds: await selectLinkedAccountIds(tx, project.id, linked) };
  }
  const needsEmailOwner = ownerId === undefined && email !== null;
  const emailOwner = needsEmailOwner ? await holdEmailOwner(tx, project.id, normalizedEmail(email)) : undefined;
  return { ownerId, emailOwner, linkedAccountIds: [] };
}

/** Whether the session that started a link is still open. A sign-in does not depend on a session. */
export async function mayComplete(
  tx: Transaction,
  { project, purpose }: Pick<ProviderReturn, 'project' | 'purpose'>,
  nowMillis: number,
): Promise<boolean> {
  if (purpose.type !== 'link') return true;
  const { userId, sessionId } = purpose;
  return holdFlowSession(tx, project, { userId, sessionId, nowMillis });
}

/** Locks the user before the session: a password reset takes the locks in the same order. */
async function holdFlowSession(
  tx: Transaction,
  project: Project,
  session: { userId: string; sessionId: string | null; nowMillis: number },
): Promise<boolean> {
  const user = await lockUser(tx, { projectId: project.id, userId: session.userId }, 'change');
  return user !== undefined && (await holdOpenSession(tx, project, session));
}

/** Writes the plan. */
export async function applyPlan(
  tx: Transaction,
  plan: AccountPlan,
  {
    providerReturn,
    openAccount,
    nowMillis,
  }: { providerReturn: ProviderReturn; openAccount: OpenAccount; nowMillis: number },
): Promise<Account> {
  const { project, providerId, profile } = providerReturn;
  const { accountId, email, displayName } = profile;
  const account = { id: providerId, accountId, email, displayName };
  switch (plan.kind) {
    case 'use':
      return { userId: plan.userId, isNewUser: false, isAttached: false };
    case 'attach':
      await insertOAuthAccount(tx, { projectId: project.id, userId: plan.userId }, account, nowMillis).catch(
        throwKnownError,
      );
      return { userId: plan.userId, isNewUser: false, isAttached: true };
    case 'create': {
      const caller = await anonymousCaller(tx, providerReturn, nowMillis);
      const primaryEmail =
        profile.email === null
          ? null
          : {
              value: normalizedEmail(profile.email),
              isVerified: profile.isEmailVerified,
              usedForAuth: plan.usesEmailForAuth,
            };
      const looks = { displayName: profile.displayName, profileImageUrl: profile.imageUrl };
      const creation = { ...looks, primaryEmail, passwordHash: null, oauthAccounts: [account], nowMillis };
      const user = await openAccount(tx, { project, caller, creation });
      return { userId: user.id, isNewUser: true, isAttached: false };
    }
  }
}

/** The anonymous user whose open session started the sign-in; null when a separate user is to be created. */
async function anonymousCaller(tx: Transaction, { project, purpose }: ProviderReturn, nowMillis: number) {
  if (purpose.type !== 'authenticate' || purpose.anonymousUserId === null) return null;
  const { anonymousUserId: userId, sessionId } = purpose;
  const isOpen = await holdFlowSession(tx, project, { userId, sessionId, nowMillis });
  return isOpen ? selectUser(tx, project.id, userId) : null;
}

function throwKnownError(error: unknown): never {
  if (error instanceof ProviderAccountTaken) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
  throw error;
}
