import { fail, KnownError } from '@tessera/protocol';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { Project } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import { Refusal } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { RateLimits } from '../../../platform/rate-limits/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import type { Projects } from '../../projects/index.ts';
import { sessionTermsOf } from '../../sessions/index.ts';
import { type Learn, type OpenAccount, openSessionOrAttempt } from '../../sign-in/index.ts';
import type { PendingLink } from '../../verification-codes/index.ts';
import type { AccountPlan } from '../rules.ts';
import { recordExchange, spendAuthorizationCode } from '../store.ts';
import { mayComplete, planSignIn, retryLostRaces } from './accounts.ts';
import { applySignIn } from './apply-sign-in.ts';
import { decryptProviderSignIn, type ProviderSignIn } from './provider-sign-in.ts';

export interface ExchangeDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
  readonly log: Log;
}

export interface ExchangeContext {
  readonly openAccount: OpenAccount;
  readonly deps: ExchangeDeps;
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
  readonly request: HttpRequest;
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
export async function exchangeCode(
  code: VerifiedCode,
  caller: Caller,
  context: ExchangeContext,
): Promise<ExchangeResult> {
  const { deps } = context;
  if (code.providerSignIn === null) fail('INVALID_AUTHORIZATION_CODE');
  const signIn = decryptProviderSignIn(code.providerSignIn, deps.secrets);
  const terms = await sessionTermsOf(code.project.id, deps);
  const outcome = await retryLostRaces(() =>
    transaction(deps.db, async tx => {
      if (!(await spendAuthorizationCode(tx, code.project.id, code.hash, deps.clock.now()))) return 'already used';
      const planned = await planExchange(tx, { code, signIn, learn: caller.learn }, deps);
      if ('refusal' in planned) return planned;
      const { request, source } = caller;
      const { project, providerId } = code;
      const apply = () => applySignIn(tx, planned.plan, { project, providerId, signIn, source }, context);
      // A merge waits for the second factor of the account: the provider proves the address only.
      const mergesInto =
        signIn.purpose.type === 'authenticate' && planned.plan.kind === 'attach' ? planned.plan : undefined;
      const { userId, isNewUser } = mergesInto === undefined ? await apply() : { ...mergesInto, isNewUser: false };
      const passed = { projectId: project.id, userId, isNewUser, request, source, method: providerId };
      const pendingLink = mergesInto === undefined ? undefined : createPendingLink(code);
      const given = await openSessionOrAttempt(tx, { ...passed, pendingLink }, { terms, deps });
      if (given === undefined) fail('INVALID_AUTHORIZATION_CODE');
      if (mergesInto !== undefined && 'tokens' in given) await apply();
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
  { clock }: ExchangeDeps,
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

function createPendingLink({ providerId, providerSignIn }: VerifiedCode): PendingLink | undefined {
  return providerSignIn === null ? undefined : { providerId, providerSignIn: providerSignIn.toString('base64') };
}
