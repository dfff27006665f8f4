import { fail, KnownError, oauthProviderNames } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { Refusal } from '../../../http/refusal.ts';
import type { RequestSource } from '../../../http/source.ts';
import { type Transaction, transaction } from '../../../platform/database/database.ts';
import { selectUser, sendAccountNotice } from '../../accounts/users/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Project } from '../../projects/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import { type Learn, type OpenAccount, openSessionOrAttempt } from '../../sign-in/index.ts';
import { storeProviderTokens } from '../connected-accounts/provider-tokens.ts';
import type { AccountPlan } from '../rules.ts';
import { recordExchange, spendAuthorizationCode } from '../store.ts';
import { type Account, applyPlan, mayComplete, planSignIn, retryLostRaces } from './accounts.ts';
import { decryptProviderSignIn, type ProviderSignIn } from './provider-sign-in.ts';

export interface ExchangeDeps {
  readonly openAccount: OpenAccount;
  readonly deps: Deps;
}

/** An authorization code whose PKCE verifier the caller has sent. */
interface VerifiedCode {
  readonly project: Project;
  readonly hash: Buffer;
  readonly providerId: string;
  /** Encrypted; null in a code of an older version, which is refused. */
  readonly providerSignIn: Buffer | null;
}

interface Caller {
  readonly request: Request;
  readonly source: RequestSource;
  readonly learn: Learn;
}

export type ExchangeResult =
  | { readonly tokens: { accessToken: string; refreshToken: string }; readonly isNewUser: boolean }
  | 'already used';

/**
 * Spends a code, and creates, links or upgrades the user in the same transaction. PKCE binds the exchange to the
 * browser that started the flow; nothing binds the callback to it. The accounts may have changed since the callback, so
 * the sign-in is planned again. A refused plan spends the code too.
 *
 * @throws INVALID_AUTHORIZATION_CODE when the session that started a link has ended; the errors of
 *   docs/contract/oauth.md#callback-errors about accounts; MULTI_FACTOR_AUTHENTICATION_REQUIRED
 */
export async function exchangeCode(code: VerifiedCode, caller: Caller, context: ExchangeDeps): Promise<ExchangeResult> {
  const { deps } = context;
  if (code.providerSignIn === null) fail('INVALID_AUTHORIZATION_CODE');
  const signIn = decryptProviderSignIn(code.providerSignIn, deps.secrets);
  const terms = await sessionTermsOf(code.project.id, deps);
  const outcome = await retryLostRaces(() =>
    transaction(deps.db, async tx => {
      if (!(await spendAuthorizationCode(tx, code.project.id, code.hash, deps.clock.now()))) return 'already used';
      const planned = await planExchange(tx, { code, signIn, learn: caller.learn }, deps);
      if ('refusal' in planned) return planned;
      const account = await applySignIn(tx, planned.plan, { code, signIn, caller }, context);
      const { userId, isNewUser } = account;
      const { request, source } = caller;
      const passed = { projectId: code.project.id, userId, isNewUser, request, source, method: code.providerId };
      const given = await openSessionOrAttempt(tx, passed, { terms, deps });
      if (given === undefined) fail('INVALID_AUTHORIZATION_CODE');
      await recordExchange(tx, code.project.id, code.hash, {
        userId,
        sessionId: 'tokens' in given ? given.tokens.sessionId : null,
        attemptId: 'attempt' in given ? given.attempt.id : null,
      });
      return { ...given, isNewUser };
    }),
  );
  if (outcome === 'already used') return outcome;
  if ('refusal' in outcome) throw outcome.refusal;
  if ('attempt' in outcome) fail('MULTI_FACTOR_AUTHENTICATION_REQUIRED', { attempt_code: outcome.attempt.code });
  return outcome;
}

/** Returns a refusal instead of throwing it, so that the transaction commits and the code stays spent. */
async function planExchange(
  tx: Transaction,
  { code, signIn, learn }: { code: VerifiedCode; signIn: ProviderSignIn; learn: Learn },
  { clock }: Deps,
): Promise<{ plan: AccountPlan } | { refusal: Error }> {
  const { project, providerId } = code;
  const { purpose, profile } = signIn;
  try {
    if (!(await mayComplete(tx, { project, purpose }, clock.now()))) fail('INVALID_AUTHORIZATION_CODE');
    return { plan: await planSignIn(tx, { project, providerId, purpose, profile }, userId => learn({ userId })) };
  } catch (error) {
    if (KnownError.isKnownError(error) || error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

async function applySignIn(
  tx: Transaction,
  plan: AccountPlan,
  { code, signIn, caller }: { code: VerifiedCode; signIn: ProviderSignIn; caller: Caller },
  { openAccount, deps }: ExchangeDeps,
): Promise<Account> {
  const { project, providerId } = code;
  const { purpose, profile, tokens, scopes } = signIn;
  const providerReturn = { project, providerId, purpose, profile };
  const account = await applyPlan(tx, plan, { providerReturn, openAccount, nowMillis: deps.clock.now() });
  await storeProviderTokens(tx, project.id, { providerId, accountId: profile.accountId, tokens, scopes }, deps);
  if (account.isAttached) await recordLink(tx, { project, providerId, userId: account.userId, caller }, deps);
  return account;
}

/** Sends a notice about the new sign-in method to the user (control 68), and writes the audit event. */
async function recordLink(
  tx: Transaction,
  { project, providerId, userId, caller }: { project: Project; providerId: string; userId: string; caller: Caller },
  deps: Deps,
): Promise<void> {
  const projectId = project.id;
  const user = await selectUser(tx, projectId, userId);
  const providerName = Object.entries(oauthProviderNames).find(([id]) => id === providerId)?.[1] ?? providerId;
  const notice = { notice: 'provider_linked', to: [user?.primaryEmail ?? null], about: { providerName } } as const;
  await sendAccountNotice(tx, { projectId, ...notice }, deps);
  await recordAudit(tx, {
    projectId,
    action: 'factor.provider_linked',
    actor: { type: 'user', id: userId },
    userId,
    source: caller.source,
    details: { provider: providerId },
    atMillis: deps.clock.now(),
  });
}
