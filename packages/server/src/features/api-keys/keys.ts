import { randomUUID } from 'node:crypto';
import { type ApiKeyKind, fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import type { Call } from '../../http/bind.ts';
import { randomSecret } from '../../platform/random.ts';
import { sha256 } from '../../platform/secrets.ts';
import { memberPermissions } from '../permissions/index.ts';
import type { Project } from '../projects/index.ts';
import {
  type Asker,
  assertKindAllowed,
  assertMayManage,
  assertSignedIn,
  assertValid,
  isUseDue,
  type Owner,
  storedExpiry,
  usePrecisionMs,
} from './rules.ts';
import { makeSecret } from './secret.ts';
import {
  type ApiKey,
  insertKey,
  type KeyChanges,
  recordUse,
  selectKey,
  selectKeyBySecret,
  selectKeysOf,
  updateKey,
} from './store.ts';

/** The part of a call that decides what it may do with keys. */
export interface KeyCaller extends Pick<Call, 'user'> {
  readonly level: Asker['level'];
  readonly project: Project;
}

export interface KeyRequest {
  readonly description: string;
  /** Null and 0: never. */
  readonly expiresAtMillis: number | null;
  readonly isPublic: boolean;
}

/**
 * Makes a key and gives its value away, once.
 *
 * @throws what the caller may not, USER_NOT_FOUND or TEAM_NOT_FOUND for an owner who does not exist
 */
export async function createKey(
  caller: KeyCaller,
  owner: Owner,
  { description, expiresAtMillis, isPublic }: KeyRequest,
  deps: Deps,
): Promise<{ key: ApiKey; value: string }> {
  await admit(caller, owner, deps);
  const id = randomUUID();
  const value = makeSecret({ secret: randomSecret(), id, kind: owner.kind, isPublic });
  const key = await insertKey(deps.db, caller.project.id, {
    id,
    owner,
    description,
    secretHash: sha256(value),
    lastFour: value.slice(-4),
    isPublic,
    createdAtMillis: deps.clock.now(),
    expiresAtMillis: storedExpiry(expiresAtMillis),
  });
  return { key: key ?? failNoOwner(owner), value };
}

/** Newest first. @throws what the caller may not */
export async function listKeys(caller: KeyCaller, owner: Owner, deps: Deps): Promise<ApiKey[]> {
  await admit(caller, owner, deps);
  return selectKeysOf(deps.db, caller.project.id, owner);
}

/** @throws what the caller may not, API_KEY_NOT_FOUND also for a key of the other kind */
export async function readKey(caller: KeyCaller, kind: ApiKeyKind, id: string, deps: Deps): Promise<ApiKey> {
  assertKindAllowed(kind, caller.project.config);
  assertSignedIn(askerOf(caller));
  const key = await selectKey(deps.db, caller.project.id, id);
  if (key === undefined || key.owner.kind !== kind) fail('API_KEY_NOT_FOUND');
  await admit(caller, key.owner, deps);
  return key;
}

/** @throws what the caller may not, API_KEY_NOT_FOUND */
export async function changeKey(
  caller: KeyCaller,
  kind: ApiKeyKind,
  { id, isRevoked, ...changes }: Omit<KeyChanges, 'revokedAtMillis'> & { id: string; isRevoked: boolean },
  deps: Deps,
): Promise<ApiKey> {
  await readKey(caller, kind, id, deps);
  const { description, expiresAtMillis } = changes;
  const changed = await updateKey(deps.db, caller.project.id, id, {
    description,
    expiresAtMillis: expiresAtMillis === undefined ? undefined : storedExpiry(expiresAtMillis),
    revokedAtMillis: isRevoked ? deps.clock.now() : undefined,
  });
  return changed ?? fail('API_KEY_NOT_FOUND');
}

/**
 * Checks a key that somebody presented to the app, and records the use.
 *
 * @throws API_KEY_NOT_FOUND, WRONG_API_KEY_TYPE, API_KEY_REVOKED, API_KEY_EXPIRED
 */
export async function checkKey(project: Project, kind: ApiKeyKind, presented: string, deps: Deps): Promise<ApiKey> {
  assertKindAllowed(kind, project.config);
  const nowMillis = deps.clock.now();
  const found = await selectKeyBySecret(deps.db, sha256(presented));
  const key = found?.projectId === project.id ? found : undefined;
  assertValid<ApiKey>(key, { kind, nowMillis });
  if (isUseDue(key.lastUsedAtMillis, nowMillis)) {
    await recordUse(deps.db.relaxed, project.id, key.id, { nowMillis, sinceMillis: nowMillis - usePrecisionMs });
  }
  return key;
}

async function admit(caller: KeyCaller, owner: Owner, deps: Deps): Promise<void> {
  const { level, project, user } = caller;
  assertKindAllowed(owner.kind, project.config);
  const asksAsMember = level === 'client' && owner.kind === 'team' && user !== null;
  const held = asksAsMember ? await memberPermissions(deps, project.id, owner.id, user.id) : new Set<string>();
  assertMayManage(owner, askerOf(caller), held);
}

function askerOf({ level, user }: Pick<KeyCaller, 'level' | 'user'>): Asker {
  return { level, userId: user?.id };
}

function failNoOwner({ kind, id }: Owner): never {
  if (kind === 'user') fail('USER_NOT_FOUND');
  fail('TEAM_NOT_FOUND', { team_id: id });
}
