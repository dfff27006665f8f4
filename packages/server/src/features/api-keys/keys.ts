import { randomUUID } from 'node:crypto';
import { type ApiKeyKind, type AuditAction, fail } from '@tessera/protocol';
import type { AuditEvent, AuditedCall } from '../../core/audit-event.ts';
import type { Project } from '../../core/project.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomSecret } from '../../platform/crypto/random.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { clientCreationUses, clientWriteUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { assertRecentSignIn, holdCaller, holdMembership } from '../accounts/users/index.ts';
import { type AuditWriter, auditedBy } from '../audit/index.ts';
import {
  holdDefinitions,
  memberPermissions,
  type PermissionDefinitions,
  readTeamGrants,
} from '../permissions/index.ts';
import {
  assertKindAllowed,
  assertMayExtend,
  assertMayManage,
  assertScopes,
  assertValid,
  isUseDue,
  normalizeExpiry,
  type Owner,
  type Requester,
  reasonOfEnd,
  usePrecisionMs,
} from './rules.ts';
import { makeSecret } from './secret.ts';
import {
  type ApiKey,
  insertKey,
  type KeyChanges,
  type PresentedSecret,
  recordUse,
  selectKey,
  selectKeysOf,
  updateKey,
} from './store.ts';

export interface ApiKeyDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
}

export interface KeyCheckDeps extends ApiKeyDeps {
  /** The key with a secret. Concurrent calls share a query. */
  readonly findKey: (presented: PresentedSecret) => Promise<ApiKey | undefined>;
}

/** The part of a call that decides about access to keys. */
export interface KeyCaller extends AuditedCall {
  readonly level: Requester['level'];
  readonly project: Project;
  readonly sessionId: string | undefined;
  readonly ownerSessionId: string | undefined;
}

export interface KeyRequest {
  readonly description: string;
  /** Null and 0 mean never. */
  readonly expiresAtMillis: number | null;
  readonly isPublic: boolean;
  /** Null: no limit. */
  readonly scopes: readonly string[] | null;
}

/** A key that an app received, and the scopes that the request to the app needs. */
export interface PresentedKey {
  readonly value: string;
  readonly scopes: readonly string[];
}

/**
 * Creates a key. Its value is returned once and never stored.
 *
 * @throws the refusals of `assertMayManage`, LimitReached, USER_NOT_FOUND or TEAM_NOT_FOUND for an owner who does not
 * exist
 */
export async function createKey(
  caller: KeyCaller,
  owner: Owner,
  { description, expiresAtMillis, isPublic, scopes }: KeyRequest,
  deps: ApiKeyDeps,
): Promise<{ key: ApiKey; value: string }> {
  await assertAccess(caller, owner, deps);
  await assertRecentSignIn(caller, deps);
  await deps.rateLimits.spend(clientCreationUses('apiKeyCreationsPerUser', caller));
  const id = randomUUID();
  const value = makeSecret({ secret: randomSecret(), id, kind: owner.kind, isPublic });
  const key = await transaction(deps.db, async tx => {
    await holdOwnership(tx, caller, owner, deps);
    return insertKey(tx, caller.project.id, {
      id,
      owner,
      description,
      secretHash: sha256(value),
      lastFour: value.slice(-4),
      isPublic,
      createdAtMillis: deps.clock.now(),
      expiresAtMillis: normalizeExpiry(expiresAtMillis),
      scopes,
    });
  });
  if (key === undefined) failNoOwner(owner);
  recordKeyEvent(caller, 'api_key.created', key, deps);
  return { key, value };
}

/** Newest first. @throws the refusals of `assertMayManage` */
export async function listKeys(caller: KeyCaller, owner: Owner, deps: ApiKeyDeps): Promise<ApiKey[]> {
  await assertAccess(caller, owner, deps);
  return selectKeysOf(deps.db.reads, caller.project.id, owner);
}

/**
 * Looks the key up before the caller is checked (docs/contract/api-keys.md#key-rules).
 *
 * @throws the refusals of `assertMayManage`, API_KEY_NOT_FOUND also for a key of the other kind
 */
export async function readKey(caller: KeyCaller, kind: ApiKeyKind, id: string, deps: ApiKeyDeps): Promise<ApiKey> {
  assertKindAllowed(kind, caller.project.config);
  const key = await selectKey(deps.db, caller.project.id, id);
  if (key === undefined || key.owner.kind !== kind) fail('API_KEY_NOT_FOUND');
  await assertAccess(caller, key.owner, deps);
  return key;
}

/**
 * A later expiry time is as sensitive as a new key, so it needs the same session. Any session can revoke a key.
 *
 * @throws the refusals of `assertMayManage` and `assertRecentSignIn`, API_KEY_NOT_FOUND, a text 400 for a
 * client that extends an expired key
 */
export async function changeKey(
  caller: KeyCaller,
  kind: ApiKeyKind,
  { id, isRevoked, ...changes }: Omit<KeyChanges, 'revokedAtMillis'> & { id: string; isRevoked: boolean },
  deps: ApiKeyDeps,
): Promise<ApiKey> {
  const key = await readKey(caller, kind, id, deps);
  const isNewlyRevoked = isRevoked && key.manuallyRevokedAtMillis === null;
  // The limit must not delay a revocation.
  if (!isNewlyRevoked) await deps.rateLimits.spend(clientWriteUses(caller));
  const { description } = changes;
  const expiresAtMillis = changes.expiresAtMillis === undefined ? undefined : normalizeExpiry(changes.expiresAtMillis);
  const nowMillis = deps.clock.now();
  if (expiresAtMillis !== undefined) {
    await assertRecentSignIn(caller, deps);
    if (caller.level === 'client') assertMayExtend(key, expiresAtMillis, nowMillis);
  }
  const changed = await transaction(deps.db, async tx => {
    await holdOwnership(tx, caller, key.owner, deps);
    const revokedAtMillis = isRevoked ? nowMillis : undefined;
    return updateKey(tx, caller.project.id, id, { description, expiresAtMillis, revokedAtMillis });
  });
  if (changed === undefined) fail('API_KEY_NOT_FOUND');
  recordKeyEvent(caller, isNewlyRevoked ? 'api_key.revoked' : 'api_key.changed', changed, deps);
  return changed;
}

/**
 * Checks a key that an app has received, and records the use at most once a minute, since apps check a key at every
 * request.
 *
 * @throws API_KEY_NOT_FOUND, WRONG_API_KEY_TYPE, API_KEY_REVOKED, API_KEY_EXPIRED, API_KEY_SCOPE_MISSING
 */
export async function checkKey(
  caller: KeyCaller,
  kind: ApiKeyKind,
  { value, scopes }: PresentedKey,
  deps: KeyCheckDeps,
): Promise<ApiKey> {
  const { project } = caller;
  assertKindAllowed(kind, project.config);
  const nowMillis = deps.clock.now();
  const key = await deps.findKey({ projectId: project.id, secretHash: sha256(value) });
  if (key?.owner.kind === kind) recordRefusal(caller, key, nowMillis, deps);
  assertValid<ApiKey>(key, { kind, nowMillis });
  assertScopes(key, scopes);
  if (isUseDue(key.lastUsedAtMillis, nowMillis)) {
    await recordUse(deps.db.asyncCommit, project.id, key.id, { nowMillis, sinceMillis: nowMillis - usePrecisionMs });
    recordKeyEvent(caller, 'api_key.checked', key, deps);
  }
  return key;
}

function recordKeyEvent(caller: KeyCaller, action: AuditAction, key: ApiKey, deps: ApiKeyDeps): void {
  deps.audit.record(keyEvent(caller, action, key, deps.clock.now()));
}

/** Records that a caller, the owner or a finder, still presents an expired or revoked key. */
function recordRefusal(caller: KeyCaller, key: ApiKey, nowMillis: number, deps: ApiKeyDeps): void {
  const reason = reasonOfEnd(key, nowMillis);
  if (reason === undefined) return;
  const event = { ...keyEvent(caller, 'api_key.refused', key, nowMillis), details: { reason } };
  deps.audit.recordFirst(event, `${key.id} ${reason}`);
}

function keyEvent(caller: KeyCaller, action: AuditAction, { id, owner }: ApiKey, atMillis: number): AuditEvent {
  const userId = owner.kind === 'user' ? owner.id : null;
  return { ...auditedBy(caller), action, userId, subject: { type: 'api_key', id }, atMillis };
}

/**
 * A user whose session has ended, and a member who has left the team or lost the permission, since the checks gets no key.
 *
 * @throws ACCESS_TOKEN_EXPIRED, API_KEY_NOT_FOUND
 */
async function holdOwnership(tx: Transaction, caller: KeyCaller, owner: Owner, deps: ApiKeyDeps): Promise<void> {
  const { project } = caller;
  const user = limitingMember(caller, owner);
  if (user !== null) await holdDefinitions(tx, project.id);
  await holdCaller(tx, caller, deps);
  if (user === null) return;
  if (!(await holdMembership(tx, project.id, user.id, owner.id))) fail('API_KEY_NOT_FOUND');
  const { direct, expand } = await readTeamGrants(tx, project.id, { teamId: owner.id, userIds: [user.id] });
  assertMayManage(owner, toAsker(caller), expand(direct.get(user.id) ?? []));
}

async function assertAccess(caller: KeyCaller, owner: Owner, deps: ApiKeyDeps): Promise<void> {
  const { project } = caller;
  assertKindAllowed(owner.kind, project.config);
  const user = limitingMember(caller, owner);
  const held = user === null ? new Set<string>() : await memberPermissions(deps, project.id, owner.id, user.id);
  assertMayManage(owner, toAsker(caller), held);
}

/** The user whose permissions in the owning team limit a call; null for servers, and for keys of users. */
function limitingMember({ level, user }: KeyCaller, owner: Owner): KeyCaller['user'] {
  return level === 'client' && owner.kind === 'team' ? user : null;
}

function toAsker({ level, user }: Pick<KeyCaller, 'level' | 'user'>): Requester {
  return { level, userId: user?.id };
}

function failNoOwner({ kind, id }: Owner): never {
  if (kind === 'user') fail('USER_NOT_FOUND');
  fail('TEAM_NOT_FOUND', { team_id: id });
}
