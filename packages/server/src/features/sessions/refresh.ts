import { fail, randomStringLength } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import type { RequestSource } from '../../http/source.ts';
import { transaction } from '../../platform/db.ts';
import { endUserPlace } from '../../platform/geo.ts';
import { toBase32 } from '../../platform/random.ts';
import { type Secrets, sha256 } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import type { LoadedProject } from '../projects/index.ts';
import { isRepetition } from './rules.ts';
import { deleteSession, type RotatedToken, rotateRefreshToken, selectRotation, selectSessionOf } from './store.ts';

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
 * gets the same successor, so that neither two tabs nor a lost answer sign anybody out.
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
  const session = await selectSessionOf(deps.db, project, tokenHash, nowMillis);
  if (session === undefined) return exchangedBefore(loaded, asked, deps);
  if (!project.config.rotatesRefreshTokens) return renewed(loaded, session, { asked, refreshToken: undefined }, deps);

  const refreshToken = successorOf(asked.refreshToken, deps.secrets);
  const rotation = { fromHash: tokenHash, toHash: sha256(refreshToken), nowMillis };
  const isOurs = await rotateRefreshToken(deps.db, project.id, rotation);
  return isOurs ? renewed(loaded, session, { asked, refreshToken }, deps) : exchangedBefore(loaded, asked, deps);
}

/** A token that is not current: repeated within a moment, used again by whoever should not have it, or unknown. */
async function exchangedBefore(loaded: LoadedProject, asked: RefreshRequest, deps: Deps): Promise<Refreshed> {
  const nowMillis = deps.clock.now();
  const rotated = await selectRotation(deps.db, loaded.project, sha256(asked.refreshToken), nowMillis);
  if (rotated === undefined) fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  if (isRepetition(rotated.rotatedAtMillis, nowMillis)) {
    const refreshToken = successorOf(asked.refreshToken, deps.secrets);
    return renewed(loaded, rotated, { asked, refreshToken }, deps);
  }
  await endStolenSession(loaded.project.id, rotated, { asked, nowMillis }, deps);
  fail('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
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
function successorOf(refreshToken: string, secrets: Secrets): string {
  return toBase32(secrets.derive(`refresh token after ${refreshToken}`, randomStringLength));
}
