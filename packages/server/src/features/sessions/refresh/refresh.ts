import { fail, randomStringLength } from '@tessera/protocol';
import type { LoadedProject } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { toBase32 } from '../../../platform/crypto/random.ts';
import { type Secrets, sha256 } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, tokenExchangeUses } from '../../../platform/rate-limits/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { ActivityWriter } from '../activity/activity.ts';
import type { CallerPlace } from '../activity/caller-place.ts';
import type { FindSession } from '../open-session.ts';
import { classifyReuse, isWithinOverlap } from '../rules.ts';
import { deleteSession, type FoundSession, type PresentedToken } from '../store.ts';
import { exchangeRefreshToken, type RotatedToken, selectRotation } from './store.ts';

export interface RefreshDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly accessTokens: AccessTokens;
  readonly findSession: FindSession;
  readonly activity: ActivityWriter;
  readonly rateLimits: RateLimits;
}

export interface Refreshed {
  readonly accessToken: string;
  /** The successor of the refresh token; undefined in a project that does not rotate refresh tokens. */
  readonly refreshToken: string | undefined;
}

interface RefreshRequest {
  readonly refreshToken: string;
  readonly place: CallerPlace;
  readonly source: RequestSource;
}

/**
 * Issues an access token for the session of a refresh token. The session and its expiry time do not change. In a project
 * that rotates refresh tokens, the refresh token is exchanged, too (controls 25 and 26). A repeated request within 30
 * seconds gets the same successor. A later one gets a new successor as long as the first was not used. So neither
 * concurrent tabs nor a lost response sign the user out.
 *
 * @throws REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED, or LimitReached for the exchanges of a session
 */
export async function refreshSession(
  loaded: LoadedProject | undefined,
  asked: RefreshRequest,
  deps: RefreshDeps,
): Promise<Refreshed> {
  if (loaded === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  const { project } = loaded;
  const nowMillis = deps.clock.now();
  const tokenHash = sha256(asked.refreshToken);
  const session = await deps.findSession({ project, refreshTokenHash: tokenHash, nowMillis });
  if (session === undefined) return refreshWithPreviousToken(loaded, asked, deps);
  if (!project.config.rotatesRefreshTokens)
    return issueAccessToken(loaded, session, { asked, refreshToken: undefined }, deps);

  await deps.rateLimits.spend(tokenExchangeUses(project.id, session, asked.source));
  const refreshToken = deriveSuccessor(asked.refreshToken, nowMillis, deps.secrets);
  const rotation = { fromHash: tokenHash, toHash: sha256(refreshToken), isWithdrawn: false, nowMillis };
  const isOurs = await exchangeRefreshToken(deps.db, project.id, rotation);
  return isOurs
    ? issueAccessToken(loaded, session, { asked, refreshToken }, deps)
    : refreshWithPreviousToken(loaded, asked, deps);
}

/**
 * Finds the open session of a refresh token that is current, or that another tab has just exchanged (control 25).
 * Undefined for any other token.
 */
export async function findSessionWithOverlap(
  presented: PresentedToken,
  { db, findSession }: Pick<RefreshDeps, 'db' | 'findSession'>,
): Promise<FoundSession | undefined> {
  const session = await findSession(presented);
  if (session !== undefined) return session;
  const { project, refreshTokenHash, nowMillis } = presented;
  const rotated = await selectRotation(db, project, refreshTokenHash, nowMillis);
  return rotated !== undefined && isWithinOverlap(rotated.rotatedAtMillis, nowMillis) ? rotated : undefined;
}

/** Handles a refresh token that is not current: it was exchanged before, or is unknown. */
async function refreshWithPreviousToken(
  loaded: LoadedProject,
  asked: RefreshRequest,
  deps: RefreshDeps,
): Promise<Refreshed> {
  const { project } = loaded;
  const nowMillis = deps.clock.now();
  const rotated = await selectRotation(deps.db, project, sha256(asked.refreshToken), nowMillis);
  if (rotated === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');

  const { successor, givenAtMillis } = await findLatestSuccessor(
    project,
    { token: asked.refreshToken, rotated, nowMillis },
    deps,
  );
  const isSuccessorCurrent = rotated.currentHash.equals(sha256(successor));
  const rotates = project.config.rotatesRefreshTokens;
  const reuse = classifyReuse({ ...rotated, givenAtMillis, isSuccessorCurrent }, { nowMillis, rotates });
  if (reuse === 'repeated') return issueAccessToken(loaded, rotated, { asked, refreshToken: successor }, deps);
  if (reuse === 'stolen') {
    await endReusedSession(project.id, rotated, { asked, nowMillis }, deps);
    fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  }
  const refreshToken = deriveSuccessor(successor, nowMillis, deps.secrets);
  const replacement = { fromHash: sha256(successor), toHash: sha256(refreshToken), isWithdrawn: true, nowMillis };
  const isOurs = await exchangeRefreshToken(deps.db, project.id, replacement);
  // A concurrent request has exchanged this token or used its successor, so the case is decided again.
  return isOurs
    ? issueAccessToken(loaded, rotated, { asked, refreshToken }, deps)
    : refreshWithPreviousToken(loaded, asked, deps);
}

/** A legitimate client does not lose this many responses for one token. */
const maxWithdrawn = 100;

/**
 * The successor that was issued last for a token: the direct one, or the replacement of a withdrawn one.
 */
async function findLatestSuccessor(
  project: LoadedProject['project'],
  { token, rotated, nowMillis }: { token: string; rotated: RotatedToken; nowMillis: number },
  deps: RefreshDeps,
): Promise<{ successor: string; givenAtMillis: number }> {
  let given = { successor: token, givenAtMillis: nowMillis };
  let exchange = rotated;
  for (let withdrawn = 0; withdrawn <= maxWithdrawn; withdrawn++) {
    const { successor, next } = await findIssuedSuccessor(
      project,
      { token: given.successor, exchange, nowMillis },
      deps,
    );
    given = { successor, givenAtMillis: exchange.rotatedAtMillis };
    if (next?.isWithdrawn !== true) break;
    exchange = next;
  }
  return given;
}

/** Two clients have tokens of one session, and the server cannot tell which one is the attacker: the session ends. */
async function endReusedSession(
  projectId: string,
  { sessionId, userId, isImpersonation }: RotatedToken,
  { asked, nowMillis }: { asked: RefreshRequest; nowMillis: number },
  deps: RefreshDeps,
): Promise<void> {
  await transaction(deps.db, async tx => {
    if (!(await deleteSession(tx, projectId, sessionId))) return;
    await recordAudit(tx, {
      projectId,
      action: 'session.token_reused',
      actor: { type: 'client', id: null },
      userId,
      // The user must not see the address of the person who impersonates.
      ...(isImpersonation ? { impersonatedUserId: userId } : {}),
      source: asked.source,
      details: { session_id: sessionId },
      atMillis: nowMillis,
    });
  });
}

function issueAccessToken(
  { project, signingKeys }: LoadedProject,
  { sessionId, userId, isImpersonation }: { sessionId: string; userId: string; isImpersonation: boolean },
  { asked, refreshToken }: { asked: RefreshRequest; refreshToken: string | undefined },
  deps: RefreshDeps,
): Refreshed {
  const subject = { projectId: project.id, userId, sessionId };
  const activeUserId = isImpersonation ? null : userId;
  deps.activity.record({ ...subject, userId: activeUserId, place: asked.place });
  return { accessToken: deps.accessTokens.issue(signingKeys, subject), refreshToken };
}

/** Derived, so that every process computes the same successor and only its hash is stored. */
function deriveSuccessor(refreshToken: string, atMillis: number, { derive }: Pick<Secrets, 'derive'>): string {
  return toBase32(derive(`refresh token after ${refreshToken} at ${atMillis}`, randomStringLength));
}

/**
 * The successor that was issued in an exchange, possibly by a process with the other secret of the installation, and the
 * exchange of that successor. The successor that was issued is the current token of the session, or was exchanged since.
 */
async function findIssuedSuccessor(
  project: LoadedProject['project'],
  { token, exchange, nowMillis }: { token: string; exchange: RotatedToken; nowMillis: number },
  { db, secrets }: Pick<RefreshDeps, 'db' | 'secrets'>,
): Promise<{ successor: string; next: RotatedToken | undefined }> {
  const { rotatedAtMillis, currentHash } = exchange;
  const read = async (derive: Secrets['derive']) => {
    const successor = deriveSuccessor(token, rotatedAtMillis, { derive });
    const hash = sha256(successor);
    const isCurrent = hash.equals(currentHash);
    return { successor, isCurrent, next: isCurrent ? undefined : await selectRotation(db, project, hash, nowMillis) };
  };
  const ours = await read(secrets.derive);
  if (ours.isCurrent || ours.next !== undefined || secrets.deriveAccepted === undefined) return ours;
  const other = await read(secrets.deriveAccepted);
  return other.isCurrent || other.next !== undefined ? other : ours;
}
