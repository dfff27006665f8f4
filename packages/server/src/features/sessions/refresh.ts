import { fail, randomStringLength } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import type { RequestSource } from '../../http/source.ts';
import { toBase32 } from '../../platform/crypto/random.ts';
import { type Secrets, sha256 } from '../../platform/crypto/secrets.ts';
import { transaction } from '../../platform/database/database.ts';
import { endUserPlace } from '../../platform/network/geo.ts';
import { recordAudit } from '../audit/index.ts';
import type { LoadedProject } from '../projects/index.ts';
import { meaningOfReturn } from './rules.ts';
import { deleteSession, type RotatedToken, replaceSuccessor, rotateRefreshToken, selectRotation } from './store.ts';

export interface Refreshed {
  readonly accessToken: string;
  /** The token that takes the place of the one that was sent; undefined where the project does not rotate them. */
  readonly refreshToken: string | undefined;
}

interface RefreshRequest {
  readonly refreshToken: string;
  readonly request: Request;
  readonly source: RequestSource;
}

/**
 * A new access token for the session of a refresh token; the session, and its expiry, stay as they are. Where the
 * project rotates, the refresh token is exchanged, too (controls 25 and 26): a request that is repeated within a moment
 * gets the same successor, and as long as that was not used, a later one gets another in its place, so that neither two
 * tabs nor a lost answer sign anybody out.
 *
 * @throws REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED
 */
export async function refreshSession(
  loaded: LoadedProject | undefined,
  asked: RefreshRequest,
  deps: Deps,
): Promise<Refreshed> {
  if (loaded === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  const { project } = loaded;
  const nowMillis = deps.clock.now();
  const tokenHash = sha256(asked.refreshToken);
  const session = await deps.findSession({ project, refreshTokenHash: tokenHash, nowMillis });
  if (session === undefined) return exchangedBefore(loaded, asked, deps);
  if (!project.config.rotatesRefreshTokens) return renewed(loaded, session, { asked, refreshToken: undefined }, deps);

  const refreshToken = successorOf(asked.refreshToken, nowMillis, deps.secrets);
  const rotation = { fromHash: tokenHash, toHash: sha256(refreshToken), nowMillis };
  const isOurs = await rotateRefreshToken(deps.db, project.id, rotation);
  return isOurs ? renewed(loaded, session, { asked, refreshToken }, deps) : exchangedBefore(loaded, asked, deps);
}

/** A token that is not current: it comes back, for one of the reasons that there may be, or is unknown. */
async function exchangedBefore(loaded: LoadedProject, asked: RefreshRequest, deps: Deps): Promise<Refreshed> {
  const { project } = loaded;
  const nowMillis = deps.clock.now();
  const rotated = await selectRotation(deps.db, project, sha256(asked.refreshToken), nowMillis);
  if (rotated === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');

  const { successor, givenAtMillis } = await lastGiven(
    project,
    { token: asked.refreshToken, rotated, nowMillis },
    deps,
  );
  const isSuccessorCurrent = rotated.currentHash.equals(sha256(successor));
  const rotates = project.config.rotatesRefreshTokens;
  const meaning = meaningOfReturn({ ...rotated, givenAtMillis, isSuccessorCurrent }, { nowMillis, rotates });
  if (meaning === 'repeated') return renewed(loaded, rotated, { asked, refreshToken: successor }, deps);
  if (meaning === 'stolen') {
    await endStolenSession(project.id, rotated, { asked, nowMillis }, deps);
    fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  }
  const refreshToken = successorOf(successor, nowMillis, deps.secrets);
  const replacement = { unusedHash: sha256(successor), toHash: sha256(refreshToken), nowMillis };
  const isOurs = await replaceSuccessor(deps.db, project.id, replacement);
  // Somebody was quicker, with this token or with its successor: it means something else now.
  return isOurs ? renewed(loaded, rotated, { asked, refreshToken }, deps) : exchangedBefore(loaded, asked, deps);
}

/** Who loses more answers than this for one token is no tab. */
const maxWithdrawn = 100;

/**
 * What was given for a token last: its successor, or where that was withdrawn because the token came back, what was
 * given in its place.
 */
async function lastGiven(
  project: LoadedProject['project'],
  { token, rotated, nowMillis }: { token: string; rotated: RotatedToken; nowMillis: number },
  deps: Deps,
): Promise<{ successor: string; givenAtMillis: number }> {
  let given = { successor: successorGiven(token, rotated, deps.secrets), givenAtMillis: rotated.rotatedAtMillis };
  for (let withdrawn = 0; withdrawn < maxWithdrawn; withdrawn++) {
    const next = await selectRotation(deps.db, project, sha256(given.successor), nowMillis);
    if (next?.isWithdrawn !== true) return given;
    given = { successor: successorGiven(given.successor, next, deps.secrets), givenAtMillis: next.rotatedAtMillis };
  }
  return given;
}

/** Two have the tokens of one session, and which of them is the thief cannot be told: it ends for both. */
async function endStolenSession(
  projectId: string,
  { sessionId, userId }: RotatedToken,
  { asked, nowMillis }: { asked: RefreshRequest; nowMillis: number },
  deps: Deps,
): Promise<void> {
  await transaction(deps.db, async tx => {
    if (!(await deleteSession(tx, projectId, sessionId))) return;
    await recordAudit(tx, {
      projectId,
      action: 'session.token_reused',
      actor: { type: 'client', id: null },
      userId,
      source: asked.source,
      details: { session_id: sessionId },
      atMillis: nowMillis,
    });
  });
}

function renewed(
  { project, signingKeys }: LoadedProject,
  { sessionId, userId }: { sessionId: string; userId: string },
  { asked, refreshToken }: { asked: RefreshRequest; refreshToken: string | undefined },
  deps: Deps,
): Refreshed {
  const subject = { projectId: project.id, userId, sessionId };
  deps.activity.record({ ...subject, place: endUserPlace(asked.request.headers) });
  return { accessToken: deps.accessTokens.issue(signingKeys, subject), refreshToken };
}

/** Derived, so that every process gives the same one, and only its hash is stored. */
function successorOf(refreshToken: string, atMillis: number, { derive }: Pick<Secrets, 'derive'>): string {
  return toBase32(derive(`refresh token after ${refreshToken} at ${atMillis}`, randomStringLength));
}

/** The one that was given, by a process that may have had the installation's other secret. */
function successorGiven(refreshToken: string, rotated: RotatedToken, secrets: Secrets): string {
  const { rotatedAtMillis, currentHash } = rotated;
  const ours = successorOf(refreshToken, rotatedAtMillis, secrets);
  if (secrets.deriveAccepted === undefined || sha256(ours).equals(currentHash)) return ours;
  const other = successorOf(refreshToken, rotatedAtMillis, { derive: secrets.deriveAccepted });
  return sha256(other).equals(currentHash) ? other : ours;
}
