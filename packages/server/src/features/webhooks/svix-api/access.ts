import { fail, isRoleAtLeast, type ProjectRole, roleOf, type SvixEndpoint, urlMaxLength } from '@tessera/protocol';
import type { LoadedProject, Project } from '../../../core/project.ts';
import type { Incoming } from '../../../http/pipeline.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { assertRecentOwner, findOwnerRole } from '../../accounts/users/index.ts';
import type { Projects } from '../../projects/index.ts';
import { holdAccess, holdOwnerSession } from '../../sessions/index.ts';
import { applicationId } from '../rules.ts';
import { notFound, SvixRefusal } from './failures.ts';
import { type PortalAccess, readPortalToken } from './token.ts';

export interface SvixAccessDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
}

/** An authenticated caller of a Svix-compatible route. */
export interface SvixCaller {
  readonly access: PortalAccess;
  readonly project: Project;
  /** Undefined for a key. */
  readonly role: ProjectRole | undefined;
}

/** Authenticates the caller and selects the project, before any other check. */
export async function authenticate({ request, params }: Incoming, deps: SvixAccessDeps): Promise<SvixCaller> {
  if (request.url.length > urlMaxLength) refuse(414, `The address is longer than ${urlMaxLength} characters.`);
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const access = token === undefined ? undefined : readPortalToken(token, deps);
  if (access === undefined) refuseToken();
  const asked = params.app_id;
  if (asked !== access.projectId && asked !== applicationId(access.projectId)) {
    throw new SvixRefusal(403, 'permission_denied', 'The token is for another application');
  }
  const loaded = (await deps.projects.find(access.projectId)) ?? notFound();
  const role = access.keySetId === undefined ? await findRole(access, deps) : undefined;
  if (role === undefined && !hasKeySet(access, loaded, deps)) refuseToken();
  return { access, project: loaded.project, role };
}

/** A token ends with the key set that it was requested with. */
function hasKeySet({ keySetId }: PortalAccess, loaded: LoadedProject, { projects }: SvixAccessDeps): boolean {
  return keySetId !== undefined && projects.hasKeySet(loaded, keySetId);
}

/** A token also ends with the session, the ownership or the membership that it was requested with. */
async function findRole(
  { projectId, ownerId, ownerSessionId }: PortalAccess,
  { db, clock }: SvixAccessDeps,
): Promise<ProjectRole | undefined> {
  if (ownerId === undefined) return undefined;
  return findOwnerRole(db, { projectId, ownerId, ownerSessionId }, clock.now());
}

/**
 * Checks the access of a person again, in the transaction of a change, and keeps it until the transaction ends: an endpoint
 * that is created after its end would go on sending the data of the project.
 *
 * @throws SvixRefusal 401
 */
export async function holdMayChange(
  tx: Transaction,
  { projectId, ownerId, ownerSessionId }: PortalAccess,
  { clock }: Pick<SvixAccessDeps, 'clock'>,
): Promise<void> {
  if (ownerId === undefined) return;
  const nowMillis = clock.now();
  const isHeld =
    (await holdAccess(tx, { projectId, ownerId })) &&
    (ownerSessionId === undefined ||
      (await holdOwnerSession(tx, { ownerId, ownerSessionId, nowMillis })) !== undefined);
  if (!isHeld) refuseToken();
}

function refuseToken(): never {
  throw new SvixRefusal(401, 'authentication_failed', 'Invalid token');
}

/**
 * Checks role and recent sign-in of a person, as the pipeline of the other API does. A key has neither.
 *
 * @throws PROJECT_ROLE_INSUFFICIENT, REAUTHENTICATION_REQUIRED
 */
export async function assertMayCall(
  endpoint: SvixEndpoint,
  { role, access }: SvixCaller,
  deps: SvixAccessDeps,
): Promise<void> {
  if (role === undefined) return;
  const lowest = roleOf(endpoint);
  if (!isRoleAtLeast(role, lowest)) {
    fail('PROJECT_ROLE_INSUFFICIENT', { actual_role: role, required_role: lowest });
  }
  if (endpoint.recentSignInWithinMs !== undefined) {
    await assertRecentOwner(access.ownerSessionId, endpoint.recentSignInWithinMs, deps);
  }
}
