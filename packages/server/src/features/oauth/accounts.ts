import { fail, isKnown } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../http/refusal.ts';
import { type Transaction, transaction } from '../../platform/db.ts';
import type { Project } from '../projects/index.ts';
import type { Learn, OpenAccount } from '../sign-in/index.ts';
import { insertOAuthAccount, normalizedEmail, ProviderAccountTaken, selectUser } from '../users/index.ts';
import { type AccountFacts, type AccountPlan, type FlowPurpose, type Profile, planAccount } from './rules.ts';
import { holdEmailOwner, holdOwner, lockLinking, selectLinkedAccountIds } from './store.ts';

/** Somebody who came back from a provider. */
export interface Returned {
  readonly project: Project;
  readonly providerId: string;
  readonly purpose: FlowPurpose;
  readonly profile: Profile;
}

export interface Account {
  readonly userId: string;
  readonly isNewUser: boolean;
  /** An existing user has one more way to sign in. */
  readonly isAttached: boolean;
}

const maxRaces = 3;

/**
 * Finds, attaches or makes the account of somebody who came back, and does what belongs to it in the same transaction.
 * When somebody else with the same account or address was faster, it is decided anew.
 *
 * @throws what docs/contract/oauth.md#callback-errors lists for it
 */
export async function enterAccount<T>(
  returned: Returned,
  { openAccount, learn, deps }: { openAccount: OpenAccount; learn: Learn; deps: Deps },
  then: (tx: Transaction, account: Account) => Promise<T>,
): Promise<T> {
  for (let race = 1; ; race++) {
    try {
      return await transaction(deps.db, async tx => {
        const facts = await factsOf(tx, returned);
        if (facts.emailOwner !== undefined) learn({ userId: facts.emailOwner.userId });
        const plan = planAccount(returned.purpose, returned.profile, facts, returned.project.config);
        return then(tx, await carriedOut(tx, plan, returned, { openAccount, nowMillis: deps.clock.now() }));
      });
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

async function factsOf(tx: Transaction, { project, providerId, purpose, profile }: Returned): Promise<AccountFacts> {
  const { accountId, email } = profile;
  if (purpose.type === 'link' && !(await lockLinking(tx, project.id, purpose.userId))) {
    refuse(400, 'The user who wanted to connect an account has been deleted.');
  }
  const ownerId = await holdOwner(tx, project.id, { providerId, accountId });
  if (purpose.type === 'link') {
    const linked = { providerId, userId: purpose.userId };
    return { ownerId, emailOwner: undefined, linkedAccountIds: await selectLinkedAccountIds(tx, project.id, linked) };
  }
  const isAsked = ownerId === undefined && email !== null;
  const emailOwner = isAsked ? await holdEmailOwner(tx, project.id, normalizedEmail(email)) : undefined;
  return { ownerId, emailOwner, linkedAccountIds: [] };
}

async function carriedOut(
  tx: Transaction,
  plan: AccountPlan,
  returned: Returned,
  { openAccount, nowMillis }: { openAccount: OpenAccount; nowMillis: number },
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
      const caller = await anonymousCaller(tx, returned);
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

function anonymousCaller(tx: Transaction, { project, purpose }: Returned) {
  const userId = purpose.type === 'authenticate' ? purpose.anonymousUserId : null;
  return userId === null ? null : selectUser(tx, project.id, userId);
}

function asKnown(error: unknown): never {
  if (error instanceof ProviderAccountTaken) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
  throw error;
}
