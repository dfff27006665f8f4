import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyFile, ProjectKeys } from '../../platform/crypto/key-file.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import { recordAudit } from '../audit/index.ts';
import {
  type ChangedBy,
  generateKeys,
  insertKeySet,
  type Projects,
  publishProjectChange,
  revokeKeySets,
} from '../projects/index.ts';
import { hasGeneratedKeySet, hasKeySet } from './store.ts';

/** Key sets of the installation practically never expire. */
const keysLifetimeMs = 100 * 365 * 24 * 3600 * 1000;

const kinds = ['publishableClientKey', 'secretServerKey', 'superSecretAdminKey'] as const;

interface KeyDeps {
  readonly projects: Projects;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'internal' | 'mode'>;
  readonly log: Log;
}

export interface EnsuredKeys {
  /** The keys to write to the key file, by project. */
  readonly keys: Record<string, ProjectKeys>;
  /** Whether the key file has other keys than these, so that it is written again. */
  readonly isFileStale: boolean;
}

/** The actor of changes that the server makes at its start. */
export function changedByServer(projectId: string): ChangedBy {
  return { projectId, actor: { type: 'system', id: null } };
}

/**
 * Ensures the keys of `internal`: those of the environment or, without any, those of the key file. Key sets of the other
 * origin are revoked.
 */
export async function ensureInternalKeys(
  tx: Transaction,
  known: KeyFile | undefined,
  deps: KeyDeps,
): Promise<EnsuredKeys> {
  const projectId = 'internal';
  const { publishableClientKey, secretServerKey, superSecretAdminKey, displayName } = deps.settings.internal;
  if (publishableClientKey === undefined || secretServerKey === undefined || superSecretAdminKey === undefined) {
    await endKeySets(tx, { projectId, source: 'environment' }, deps);
    return ensureKeys(tx, { projectId, displayName, known }, deps);
  }
  await endKeySets(tx, { projectId, source: 'generated' }, deps);
  const keys = { publishableClientKey, secretServerKey, superSecretAdminKey };
  if (!(await hasKeySet(tx, projectId, keys, deps.clock.now()))) {
    // Revokes all sets: a set with one replaced key is a new set, and the old key must end.
    await endKeySets(tx, { projectId, source: 'environment' }, deps);
    await insertKeys(tx, { projectId, source: 'environment', keys }, deps);
  }
  return { keys: {}, isFileStale: known?.projects[projectId] !== undefined };
}

/** Returns the keys of the file when they fit the database, and otherwise creates a key set. */
export async function ensureKeys(
  tx: Transaction,
  { projectId, displayName, known }: { projectId: string; displayName: string; known: KeyFile | undefined },
  deps: KeyDeps,
): Promise<EnsuredKeys> {
  const kept = known?.projects[projectId];
  if (kept !== undefined && (await hasKeySet(tx, projectId, kept, deps.clock.now()))) {
    return { keys: { [projectId]: kept }, isFileStale: false };
  }
  await warnAboutAdditionalKeys(tx, projectId, deps);
  const keys = generateKeys(kinds);
  await insertKeys(tx, { projectId, source: 'generated', keys }, deps);
  return { keys: { [projectId]: { displayName, ...keys } }, isFileStale: true };
}

/** A server that loses its data folder at each stop adds a key set at each start, and the earlier ones stay valid. */
async function warnAboutAdditionalKeys(tx: Transaction, projectId: string, deps: KeyDeps): Promise<void> {
  if (deps.settings.mode !== 'production') return;
  if (!(await hasGeneratedKeySet(tx, projectId, deps.clock.now()))) return;
  deps.log.warn(
    'an additional key set of internal was generated: the data folder has no keys that fit the database. The earlier sets, with their admin keys, stay valid. Keep the data folder, or set the three TESSERA_INTERNAL_… keys, which revokes all generated sets.',
  );
}

async function endKeySets(
  tx: Transaction,
  { projectId, source }: { projectId: string; source: 'environment' | 'generated' },
  deps: KeyDeps,
): Promise<void> {
  const atMillis = deps.clock.now();
  const ended = await revokeKeySets(tx, { projectId, source, nowMillis: atMillis });
  if (ended.length === 0) return;
  await publishProjectChange(tx, projectId, deps);
  for (const id of ended) {
    const subject = { type: 'key_set', id };
    await recordAudit(tx, { ...changedByServer(projectId), action: 'key_set.revoked', subject, atMillis });
  }
}

async function insertKeys(
  tx: Transaction,
  set: { projectId: string; source: 'environment' | 'generated'; keys: Omit<ProjectKeys, 'displayName'> },
  deps: KeyDeps,
): Promise<void> {
  const createdAtMillis = deps.clock.now();
  const description = set.source === 'environment' ? 'From the environment' : 'Generated at the first start';
  await insertKeySet(tx, { ...set, description, createdAtMillis, expiresAtMillis: createdAtMillis + keysLifetimeMs });
  await publishProjectChange(tx, set.projectId, deps);
}
