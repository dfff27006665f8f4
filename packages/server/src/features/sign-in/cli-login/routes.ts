import { randomUUID } from 'node:crypto';
import { cliEndpoints, cliLoginLifetimeMs, fail } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import { type BoundRoute, bind, ResponseOverride } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { randomSecret } from '../../../platform/crypto/random.ts';
import { type Secrets, sha256 } from '../../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, requestUses } from '../../../platform/rate-limits/index.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { auditedBy } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import {
  copyAuthenticationTime,
  type FindSession,
  type FoundSession,
  findSessionWithOverlap,
  holdAccess,
  holdOpenSession,
  openSession,
  remainingLifetime,
  type SessionTerms,
  sessionTermsOf,
  wholeLifetime,
} from '../../sessions/index.ts';
import { completeCliLogin, expireCliLogin, insertCliLogin, pickUpCliLogin, selectCliLogin } from './store.ts';

export interface CliLoginRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly findSession: FindSession;
  readonly rateLimits: RateLimits;
}

/** The encryption purpose of refresh tokens that wait for the program (control 99). */
export const cliLoginPurpose = 'refresh token of a command-line login';

const notOpen = 'This login is not known, completed already, or expired.';

/** docs/contract/sign-in-methods.md#cli-login: the program polls, the user completes the login in a browser. */
export function cliRoutes(deps: CliLoginRoutesDeps): BoundRoute[] {
  return [
    bind(cliEndpoints.start, async call => {
      const { body, project } = call;
      await deps.rateLimits.spend(requestUses('cliLoginsPerAddress', call));
      const pollingCode = randomSecret();
      const loginCode = randomSecret();
      const createdAtMillis = deps.clock.now();
      const expiresAtMillis = createdAtMillis + (wholeLifetime(body?.expires_in_millis) ?? cliLoginLifetimeMs);
      const hashes = { pollingCodeHash: sha256(pollingCode), loginCodeHash: sha256(loginCode) };
      await insertCliLogin(deps.db, project.id, { id: randomUUID(), ...hashes, createdAtMillis, expiresAtMillis });
      return { polling_code: pollingCode, login_code: loginCode, expires_at: new Date(expiresAtMillis).toISOString() };
    }),

    bind(cliEndpoints.poll, async call => {
      const { body, project } = call;
      await deps.rateLimits.spend(requestUses('cliPollsPerAddress', call));
      const login = await selectCliLogin(deps.db, project.id, sha256(body.polling_code));
      if (login === undefined) fail('INVALID_POLLING_CODE');
      const nowMillis = deps.clock.now();
      if (login.expiresAtMillis <= nowMillis) return { status: 'expired' } as const;
      if (login.usedAtMillis !== null) return { status: 'used' } as const;
      if (login.completedAtMillis === null) return { status: 'waiting' } as const;
      const encrypted = await pickUpCliLogin(deps.db, project.id, login.id, nowMillis);
      if (encrypted === undefined) return { status: 'used' } as const;
      const refreshToken = deps.secrets.decrypt(cliLoginPurpose, encrypted).toString('utf8');
      return new ResponseOverride({ status: 'success', refresh_token: refreshToken }, { status: 201 });
    }),

    bind(cliEndpoints.complete, async call => {
      const { body, project } = call;
      const nowMillis = deps.clock.now();
      const session = await findOrigin(call, { ...deps, nowMillis });
      assertHoldsSession(call, session);
      const terms = await sessionTermsOf(project.id, deps);
      await transaction(deps.db, async tx => {
        // A user who is deleted, or whose session ends, during the request gets no session.
        const hasOwn =
          session !== undefined &&
          (await lockUser(tx, { projectId: project.id, userId: session.userId }, 'hold')) !== undefined &&
          (await holdOpenerOf(tx, { projectId: project.id, session })) &&
          (await holdOpenSession(tx, project, { ...session, nowMillis }));
        const programToken = hasOwn ? await openProgramSession(tx, { call, session, terms }) : body.refresh_token;
        const refreshToken = deps.secrets.encrypt(cliLoginPurpose, programToken);
        const completion = { loginCodeHash: sha256(body.login_code), refreshToken, nowMillis };
        const isOpen = await completeCliLogin(tx, project.id, completion);
        if (!isOpen) refuse(400, notOpen);
      });
      return { success: true } as const;
    }),

    bind(cliEndpoints.decline, call => decline(call, deps)),
  ];

  /** Where refresh tokens rotate, program and browser cannot share one: the second refresh would count as theft. */
  async function openProgramSession(
    tx: Transaction,
    login: { call: Call<typeof cliEndpoints.complete>; session: FoundSession; terms: SessionTerms },
  ): Promise<string> {
    const { call, session, terms } = login;
    const { userId, isImpersonation, openerId, openerSessionId } = session;
    const opener = openerId === null ? undefined : { id: openerId, sessionId: openerSessionId };
    // A copy ends when its origin ends: it is no new sign-in (control 28), and an impersonation stays one (control 34).
    const lifetimeMs = remainingLifetime(session, { nowMillis: deps.clock.now(), maxLifetimeMs: terms.maxLifetimeMs });
    const by = auditedBy(isImpersonation ? { ...call, user: { id: userId }, impersonation: { openerId } } : call);
    const details = { method: 'cli', ...(isImpersonation ? { is_impersonation: true } : {}) };
    const event = { ...by, action: 'session.created', details } as const;
    const kind = { isImpersonation, opener, lifetimeMs };
    const request = { projectId: call.project.id, userId, place: undefined, ...kind, terms, event };
    const opened = await openSession(tx, request, deps);
    // A sensitive change by the program needs the same recent sign-in as in the browser (control 68).
    await copyAuthenticationTime(tx, call.project.id, { from: session.sessionId, to: opened.sessionId });
    return opened.refreshToken;
  }
}

/**
 * The session that the program gets a copy of: where refresh tokens rotate, the one of the presented token. Another tab
 * may have exchanged the token while the user confirmed. Undefined for a token that is passed on as it is: without
 * rotation, and for an unknown token, which opens no session. The first refresh of its program is refused.
 */
async function findOrigin(
  { body, project }: Call<typeof cliEndpoints.complete>,
  { nowMillis, ...deps }: Pick<CliLoginRoutesDeps, 'db' | 'findSession'> & { readonly nowMillis: number },
): Promise<FoundSession | undefined> {
  if (!project.config.rotatesRefreshTokens) return undefined;
  return findSessionWithOverlap({ project, refreshTokenHash: sha256(body.refresh_token), nowMillis }, deps);
}

/**
 * Where refresh tokens rotate, a client proves by its access token that it can refresh. An attacker who has only a refresh token
 * must exchange it first, which is noticed (control 25).
 *
 * @throws USER_AUTHENTICATION_REQUIRED
 */
function assertHoldsSession(
  { level, sessionId }: Call<typeof cliEndpoints.complete>,
  session: FoundSession | undefined,
): void {
  if (level !== 'client' || session === undefined || session.sessionId === sessionId) return;
  fail('USER_AUTHENTICATION_REQUIRED');
}

/** A declined login counts as expired, which the SDKs of the contract know. */
async function decline(
  { body, project }: Call<typeof cliEndpoints.decline>,
  { clock, db }: Pick<CliLoginRoutesDeps, 'clock' | 'db'>,
): Promise<{ success: true }> {
  const isOpen = await expireCliLogin(db, project.id, {
    loginCodeHash: sha256(body.login_code),
    nowMillis: clock.now(),
  });
  if (!isOpen) refuse(400, notOpen);
  return { success: true };
}

/** A copy of a session has its opener. The removal of that person waits, and then ends the copy, too. */
async function holdOpenerOf(
  tx: Transaction,
  { projectId, session }: { projectId: string; session: FoundSession },
): Promise<boolean> {
  return session.openerId === null || holdAccess(tx, { projectId, ownerId: session.openerId });
}
