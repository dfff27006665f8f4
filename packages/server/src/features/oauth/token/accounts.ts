import { fail, isKnown } from '@tessera/protocol';
import { refuse } from '../../../http/refusal.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { insertOAuthAccount, normalizedEmail, ProviderAccountTaken, selectUser } from '../../accounts/users/index.ts';
import type { Project } from '../../projects/index.ts';
import { holdOpenSession } from '../../sessions/index.ts';
import type { OpenAccount } from '../../sign-in/index.ts';
import { type AccountFacts, type AccountPlan, type FlowPurpose, type Profile, planAccount } from '../rules.ts';
import { holdEmailOwner, holdOwner, lockLinking, selectLinkedAccountIds } from '../store.ts';

/** A person who has signed in at a provider. */
export interface Returned {
  readonly project: Project;
  readonly providerId: string;
  readonly purpose: FlowPurpose;
  readonly profile: Profile;
}

export interface Account {
  readonly userId: string;
  readonly isNewUser: boolean;
  /** The provider account is a new way into an account that existed before. */
  readonly isAttached: boolean;
}

const maxRaces = 3;

/** Repeats a transaction that lost a race for a provider account or an address to another one. */
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
 * @param learnOwner is told whose address the profile has, also when the plan is refused
 * @throws what docs/contract/oauth.md#callback-errors lists for it
 */
export async function planReturn(
  tx: Transaction,
  returned: Returned,
  learnOwner: (userId: string) => void,
): Promise<AccountPlan> {
  const facts = await readFacts(tx, returned);
  if (facts.emailOwner !== undefined) learnOwner(facts.emailOwner.userId);
  return planAccount(returned.purpose, returned.profile, facts, returned.project.config);
}

async function readFacts(tx: Transaction, { project, providerId, purpose, profile }: Returned): Promise<AccountFacts> {
  const { accountId, email } = profile;
  if (purpose.type === 'link' && !(await lockLinking(tx, project.id, purpose.userId))) {
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

/** Whether the session that began a link is still open. A sign-in does not depend on a session. */
export async function mayComplete(
  tx: Transaction,
  { project, purpose }: Pick<Returned, 'project' | 'purpose'>,
  nowMillis: number,
): Promise<boolean> {
  if (purpose.type !== 'link') return true;
  const { userId, sessionId } = purpose;
  return holdCaller(tx, project, { userId, sessionId, nowMillis });
}

/** The user first: a password reset locks the user and the sessions in this order, too. */
async function holdCaller(
  tx: Transaction,
  project: Project,
  session: { userId: string; sessionId: string | null; nowMillis: number },
): Promise<boolean> {
  return (await lockLinking(tx, project.id, session.userId)) && (await holdOpenSession(tx, project, session));
}

/** Writes what was planned. */
export async function carryOut(
  tx: Transaction,
  plan: AccountPlan,
  { returned, openAccount, nowMillis }: { returned: Returned; openAccount: OpenAccount; nowMillis: number },
): Promise<Account> {
  const { project, providerId, profile } = returned;
  const account = { id: providerId, accountId: profile.accountId, email: profile.email };
  switch (plan.kind) {
    case 'use':
      return { userId: plan.userId, isNewUser: false, isAttached: false };
    case 'attach':
      await insertOAuthAccount(tx, project.id, { ...account, userId: plan.userId, nowMillis }).catch(asKnown);
      return { userId: plan.userId, isNewUser: false, isAttached: true };
    case 'create': {
      const caller = await anonymousCaller(tx, returned, nowMillis);
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

/** The anonymous user whose open session began the sign-in; null makes a separate user. */
async function anonymousCaller(tx: Transaction, { project, purpose }: Returned, nowMillis: number) {
  if (purpose.type !== 'authenticate' || purpose.anonymousUserId === null) return null;
  const { anonymousUserId: userId, sessionId } = purpose;
  const isOpen = await holdCaller(tx, project, { userId, sessionId, nowMillis });
  return isOpen ? selectUser(tx, project.id, userId) : null;
}

function asKnown(error: unknown): never {
  if (error instanceof ProviderAccountTaken) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
  throw error;
}
