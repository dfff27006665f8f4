import { fail, isProjectId } from '@tessera/protocol';
import type { AuditEvent } from '../../core/audit-event.ts';
import type { KeyKind, LoadedProject } from '../../core/project.ts';
import type { ProjectConfig } from '../../core/project-config.ts';
import type { SigningKeys } from '../../core/signing-keys.ts';
import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { signingKeys } from '../../platform/crypto/signing-keys.ts';
import { type Database, DatabaseAway, type Transaction } from '../../platform/database/database.ts';
import { createMemo } from '../../platform/database/memo.ts';
import { type DatabaseNotifications, notify } from '../../platform/database/notifications.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { recordAudit } from '../audit/index.ts';
import { assertRoleHeld } from './members/held-role.ts';
import { applyProjectChanges, type ProjectChanges } from './rules.ts';
import { newProjectConfig, settingsOf } from './settings/config.ts';
import { diffSettings } from './settings/settings-diff.ts';
import {
  insertProject,
  lockProjectRecord,
  type ProjectRecord,
  selectProject,
  selectUsableKeys,
  updateProjectRecord,
} from './store.ts';

/** An in-memory cache of projects and their keys. A change reaches every process within a second. */
export interface Projects {
  find(projectId: string): Promise<LoadedProject | undefined>;
  /**
   * The project after a look into the database, at most once a second: another process may have created the project or the
   * key of a request, and its notification has not arrived yet.
   */
  findAgain(projectId: string): Promise<LoadedProject | undefined>;
  /** Signing keys are served from memory while the database is away (control 102). */
  signingKeysOf(projectId: string): Promise<SigningKeys | undefined>;
  /** Removes a project from memory, so that its next use loads it again. */
  forget(projectId: string): void;
  /** Whether the project has this key, neither revoked nor expired. */
  hasKey(loaded: LoadedProject, kind: KeyKind, hash: Buffer): boolean;
  /** Whether the set has a key that is neither revoked nor expired. */
  hasKeySet(loaded: LoadedProject, setId: string): boolean;
  /** The set of a usable key; undefined when the project does not have the key. */
  keySetOf(loaded: LoadedProject, kind: KeyKind, hash: Buffer): string | undefined;
}

const topic = 'project';
const maxRemembered = 10_000;
/**
 * The maximum size of all configurations in memory, in characters of JSON. The number of projects alone is no bound: an
 * owner can store a configuration that is many times larger than the usual one.
 */
const maxRememberedSize = 32_000_000;
const reloadIntervalMs = 1_000;

export function createProjects(deps: {
  db: Database;
  secrets: Secrets;
  clock: Clock;
  databaseNotifications: DatabaseNotifications;
  settings: Pick<Settings, 'mode' | 'internal'>;
}): Projects {
  const memo = createMemo({
    load: id => loadProject(id, deps),
    maxEntries: maxRemembered,
    size: {
      of: loaded => (loaded === undefined ? 0 : JSON.stringify(loaded.project.config).length),
      max: maxRememberedSize,
    },
    isReceiving: deps.databaseNotifications.isReceiving,
  });
  deps.databaseNotifications.on(topic, memo.drop);
  deps.databaseNotifications.onGap(memo.dropAll);

  const reloadedAtMillis = new Map<string, number>();

  function findAgain(id: string): Promise<LoadedProject | undefined> {
    const now = deps.clock.now();
    if (now - (reloadedAtMillis.get(id) ?? 0) < reloadIntervalMs) return memo.get(id);
    reloadedAtMillis.delete(id);
    reloadedAtMillis.set(id, now);
    dropOldest(reloadedAtMillis, maxRemembered);
    return memo.reload(id);
  }

  function keySetOf(loaded: LoadedProject, kind: KeyKind, hash: Buffer): string | undefined {
    const key = loaded.keys.get(keyName(kind, hash));
    return key !== undefined && key.expiresAtMillis > deps.clock.now() ? key.setId : undefined;
  }

  return {
    // The id comes from unverified tokens and headers, so an impossible id causes no query.
    find: id => (isProjectId(id) ? memo.get(id) : Promise.resolve(undefined)),
    findAgain: id => (isProjectId(id) ? findAgain(id) : Promise.resolve(undefined)),
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
    hasKeySet: (loaded, setId) =>
      [...loaded.keys.values()].some(key => key.setId === setId && key.expiresAtMillis > deps.clock.now()),
    keySetOf,
  };
}

/**
 * Call this in the transaction that changes a project or its keys. This process sees the change immediately after the
 * commit, the other processes within a second.
 */
export function publishProjectChange(
  tx: Transaction,
  projectId: string,
  { projects }: { projects: Projects },
): Promise<void> {
  tx.afterCommit(() => projects.forget(projectId));
  return notify(tx, { topic, key: projectId });
}

/** The values of a new project; settings that are not given get the defaults of new projects. */
interface NewProject {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly isProductionMode?: boolean;
  readonly config: Partial<ProjectConfig>;
  readonly createdAtMillis: number;
}

/** What a later feature does for a new project, in the same transaction. */
export type OnProjectCreated = (tx: Transaction, projectId: string) => Promise<void>;

/** Creates a project with the default settings, except for the given ones. */
export type CreateProject = (
  tx: Transaction,
  project: NewProject,
  deps: { projects: Projects },
) => Promise<ProjectRecord>;

/**
 * The creation notifies other processes, because one may have cached that the project does not exist.
 *
 * @param onProjectCreated the steps of later features, in their order
 */
export function createProjectCreation(onProjectCreated: readonly OnProjectCreated[]): CreateProject {
  return async (tx, { isProductionMode = false, ...project }, deps) => {
    const record = { ...project, isProductionMode, config: { ...newProjectConfig, ...project.config } };
    await insertProject(tx, record);
    for (const join of onProjectCreated) await join(tx, project.id);
    await publishProjectChange(tx, project.id, deps);
    return record;
  };
}

/** The changed project and the actor: `auditedBy(call)`, or the server itself. */
export type ChangedBy = Pick<AuditEvent, 'projectId' | 'actor' | 'source'>;

/**
 * Changes a project and records the change in the audit log. Settings that are not named stay. Of two concurrent changes
 * of one setting the last one wins.
 *
 * @throws PROJECT_NOT_FOUND when it was deleted meanwhile; ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN and PROJECT_ROLE_INSUFFICIENT when
 * the role of the person ended meanwhile
 */
export async function updateProject(
  tx: Transaction,
  by: ChangedBy,
  changes: ProjectChanges | ((config: ProjectConfig) => ProjectChanges),
  deps: { projects: Projects; clock: Clock },
): Promise<ProjectRecord> {
  const { projectId } = by;
  const { type, id: ownerId } = by.actor;
  const before = (await lockProjectRecord(tx, projectId)) ?? fail('PROJECT_NOT_FOUND', { project_id: projectId });
  if (type === 'owner' && ownerId !== null) await assertRoleHeld(tx, { projectId, ownerId }, 'admin');
  const after = applyProjectChanges(before, typeof changes === 'function' ? changes(settingsOf(before)) : changes);
  const difference = diffSettings(before, after);
  if (difference === undefined) return before;
  await updateProjectRecord(tx, after);
  await publishProjectChange(tx, projectId, deps);
  const action = 'project.config_changed';
  await recordAudit(tx, { ...by, action, ...difference, atMillis: deps.clock.now() });
  return after;
}

async function loadProject(
  projectId: string,
  deps: { db: Database; secrets: Secrets; settings: Pick<Settings, 'mode' | 'internal'> },
): Promise<LoadedProject | undefined> {
  const [row, keys] = await Promise.all([selectProject(deps.db, projectId), selectUsableKeys(deps.db, projectId)]);
  if (row === undefined) return undefined;
  const config = settingsOf(row);
  return {
    project: {
      id: row.id,
      displayName: row.displayName,
      config,
      capsMailLimits: capsMailLimits(config, deps.settings),
    },
    signingKeys: signingKeys(deps.secrets, row.id, row.signingKeyGeneration),
    keys: new Map(keys.map(key => [keyName(key.kind, key.hash), key])),
  };
}

/**
 * Where every user may create projects, a project that sends through the installation's mail server must not raise the limits
 * that protect its recipients and its reputation (control 72). On a developer's machine emails are caught.
 */
function capsMailLimits(
  { emailConfig }: ProjectConfig,
  { mode, internal }: Pick<Settings, 'mode' | 'internal'>,
): boolean {
  return emailConfig.type === 'shared' && mode === 'production' && internal.allowsSignUp;
}

function keyName(kind: KeyKind, hash: Buffer): string {
  return kind + hash.toString('base64');
}
