import { fail, isProjectId } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type SigningKeys, signingKeys } from '../../platform/crypto/signing-keys.ts';
import { type Database, DatabaseAway, type Transaction } from '../../platform/database/database.ts';
import { createMemo } from '../../platform/database/memo.ts';
import { type DatabaseNotifications, notify } from '../../platform/database/notifications.ts';
import { type AuditEvent, recordAudit } from '../audit/index.ts';
import { changedProject, type ProjectChanges } from './rules.ts';
import { settingsDifference } from './settings/change-wire.ts';
import { newProjectConfig, newProjectTeamPermissions, type ProjectConfig, settingsOf } from './settings/config.ts';
import {
  insertProject,
  insertTeamPermission,
  type KeyKind,
  lockProjectRecord,
  type ProjectRecord,
  selectProject,
  selectUsableKeys,
  updateProjectRecord,
} from './store.ts';

export { generatedKeys } from './internal-api-keys/generated-keys.ts';
export { insertKeySet, revokeKeySets } from './internal-api-keys/store.ts';
export { giveToOwner } from './ownership/ownership.ts';
export { isTrustedUrl, type ProjectChanges, type SettingChanges } from './rules.ts';
export { type ProjectConfig, settingsOf } from './settings/config.ts';
export {
  decryptClientSecret,
  decryptSmtpPassword,
  encryptClientSecret,
  encryptSmtpPassword,
} from './settings/encrypted.ts';
export type { KeyKind, ProjectRecord } from './store.ts';

export interface Project {
  readonly id: string;
  readonly displayName: string;
  readonly config: ProjectConfig;
}

/** A project with what every request needs of it. */
export interface LoadedProject {
  readonly project: Project;
  readonly signingKeys: SigningKeys;
  /** Expiry and set of each usable key, by kind and hash. */
  readonly keys: ReadonlyMap<string, { readonly setId: string; readonly expiresAtMillis: number }>;
}

/** Projects and their keys, from memory; a change reaches every process within a second. */
export interface Projects {
  find(projectId: string): Promise<LoadedProject | undefined>;
  /** Signing keys go on being served while the database is away (control 102). */
  signingKeysOf(projectId: string): Promise<SigningKeys | undefined>;
  /** What is remembered of a project is loaded anew at its next use. */
  forget(projectId: string): void;
  /** Whether the project has this key, not revoked and not expired. */
  hasKey(loaded: LoadedProject, kind: KeyKind, hash: Buffer): boolean;
  /** The set of such a key; undefined when the project does not have it. */
  keySetOf(loaded: LoadedProject, kind: KeyKind, hash: Buffer): string | undefined;
}

const topic = 'project';
const maxRemembered = 10_000;

export function createProjects(deps: {
  db: Database;
  secrets: Secrets;
  clock: Clock;
  databaseNotifications: DatabaseNotifications;
}): Projects {
  const memo = createMemo({
    load: id => loadProject(id, deps),
    maxEntries: maxRemembered,
    isReceiving: deps.databaseNotifications.isReceiving,
  });
  deps.databaseNotifications.on(topic, memo.drop);
  deps.databaseNotifications.onGap(memo.dropAll);

  function keySetOf(loaded: LoadedProject, kind: KeyKind, hash: Buffer): string | undefined {
    const key = loaded.keys.get(keyName(kind, hash));
    return key !== undefined && key.expiresAtMillis > deps.clock.now() ? key.setId : undefined;
  }

  return {
    // What no project can have as id is not asked for: it comes from unverified tokens and headers.
    find: id => (isProjectId(id) ? memo.get(id) : Promise.resolve(undefined)),
    async signingKeysOf(projectId) {
      if (!isProjectId(projectId)) return undefined;
      const remembered = memo.last(projectId);
      try {
        return (await memo.get(projectId))?.signingKeys;
      } catch (error) {
        if (!(error instanceof DatabaseAway) || remembered === undefined) throw error;
        return (await remembered)?.signingKeys;
      }
    },
    forget: memo.drop,
    hasKey: (loaded, kind, hash) => keySetOf(loaded, kind, hash) !== undefined,
    keySetOf,
  };
}

/**
 * To be called in the transaction that changes a project or its keys. This process sees the change with the answer, the
 * others within a second.
 */
export function publishProjectChange(
  tx: Transaction,
  projectId: string,
  { projects }: { projects: Projects },
): Promise<void> {
  tx.afterCommit(() => projects.forget(projectId));
  return notify(tx, { topic, key: projectId });
}

/** What a new project is to be; settings that are not given are those of every new project. */
export interface NewProject {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly isProductionMode?: boolean;
  readonly config: Partial<ProjectConfig>;
  readonly createdAtMillis: number;
}

/**
 * Makes a project with the settings of a new one, except where others are given, and two team permissions. Announced,
 * because a process may remember that there was no such project.
 */
export async function createProject(
  tx: Transaction,
  { isProductionMode = false, ...project }: NewProject,
  deps: { projects: Projects },
): Promise<ProjectRecord> {
  const record = { ...project, isProductionMode, config: { ...newProjectConfig, ...project.config } };
  await insertProject(tx, record);
  for (const permission of newProjectTeamPermissions) await insertTeamPermission(tx, project.id, permission);
  await publishProjectChange(tx, project.id, deps);
  return record;
}

/** Which project is changed, and who does it: `auditedBy(call)`, or the server by itself. */
export type ChangedBy = Pick<AuditEvent, 'projectId' | 'actor' | 'source'>;

/**
 * Changes a project on behalf of a caller, and tells the audit log. What is not named stays; of two callers at once the
 * last one wins, setting by setting.
 *
 * @throws PROJECT_NOT_FOUND when it was deleted meanwhile
 */
export async function updateProject(
  tx: Transaction,
  by: ChangedBy,
  changes: ProjectChanges | ((config: ProjectConfig) => ProjectChanges),
  deps: { projects: Projects; clock: Clock },
): Promise<ProjectRecord> {
  const { projectId } = by;
  const before = (await lockProjectRecord(tx, projectId)) ?? fail('PROJECT_NOT_FOUND', { project_id: projectId });
  const after = changedProject(before, typeof changes === 'function' ? changes(settingsOf(before)) : changes);
  const difference = settingsDifference(before, after);
  if (difference === undefined) return before;
  await updateProjectRecord(tx, after);
  await publishProjectChange(tx, projectId, deps);
  const action = 'project.config_changed';
  await recordAudit(tx, { ...by, action, ...difference, atMillis: deps.clock.now() });
  return after;
}

async function loadProject(
  projectId: string,
  deps: { db: Database; secrets: Secrets },
): Promise<LoadedProject | undefined> {
  const [row, keys] = await Promise.all([selectProject(deps.db, projectId), selectUsableKeys(deps.db, projectId)]);
  if (row === undefined) return undefined;
  return {
    project: { id: row.id, displayName: row.displayName, config: settingsOf(row) },
    signingKeys: signingKeys(deps.secrets, row.id, row.signingKeyGeneration),
    keys: new Map(keys.map(key => [keyName(key.kind, key.hash), key])),
  };
}

function keyName(kind: KeyKind, hash: Buffer): string {
  return kind + hash.toString('base64');
}
