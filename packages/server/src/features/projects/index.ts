import { isProjectId } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import { type Database, DatabaseAway, type Transaction } from '../../platform/db.ts';
import { createMemo } from '../../platform/memo.ts';
import { type Notices, notify } from '../../platform/notices.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type SigningKeys, signingKeys } from '../../platform/signing-keys.ts';
import { newProjectConfig, newProjectTeamPermissions, type ProjectConfig, projectConfig } from './config.ts';
import {
  insertProject,
  insertTeamPermission,
  type KeyKind,
  mergeProjectConfig,
  selectProject,
  selectUsableKeys,
} from './store.ts';

export type { ProjectConfig } from './config.ts';
export { isTrustedUrl } from './rules.ts';
export { insertKeySet, type KeyKind, revokeOtherKeySets } from './store.ts';

export interface Project {
  readonly id: string;
  readonly displayName: string;
  readonly config: ProjectConfig;
}

/** A project with what every request needs of it. */
export interface LoadedProject {
  readonly project: Project;
  readonly signingKeys: SigningKeys;
  /** Expiry of each usable key, by kind and hash. */
  readonly keys: ReadonlyMap<string, number>;
}

/** Projects and their keys, from memory; a change reaches every process within a second. */
export interface Projects {
  find(projectId: string): Promise<LoadedProject | undefined>;
  /** Signing keys go on being served while the database is away (control 102). */
  signingKeysOf(projectId: string): Promise<SigningKeys | undefined>;
  /** Whether the project has this key, not revoked and not expired. */
  hasKey(loaded: LoadedProject, kind: KeyKind, hash: Buffer): boolean;
}

const topic = 'project';
const maxRemembered = 10_000;

export function createProjects(deps: { db: Database; secrets: Secrets; clock: Clock; notices: Notices }): Projects {
  const memo = createMemo({
    load: id => loadProject(id, deps),
    maxEntries: maxRemembered,
    clock: deps.clock,
    isHearing: deps.notices.isHearing,
  });
  deps.notices.on(topic, memo.drop);
  deps.notices.onGap(memo.dropAll);

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
    hasKey: (loaded, kind, hash) => (loaded.keys.get(keyName(kind, hash)) ?? 0) > deps.clock.now(),
  };
}

/** To be called in the transaction that changes a project or its keys. */
export function announceProjectChange(tx: Transaction, projectId: string): Promise<void> {
  return notify(tx, { topic, key: projectId });
}

/**
 * Makes a project with the settings of a new one, except where others are given, and two team permissions. Announced,
 * because another process may remember that there was no such project.
 */
export async function createProject(
  tx: Transaction,
  project: {
    readonly id: string;
    readonly displayName: string;
    readonly description: string;
    readonly config: Partial<ProjectConfig>;
    readonly createdAtMillis: number;
  },
): Promise<void> {
  await insertProject(tx, { ...project, config: { ...newProjectConfig, ...project.config } });
  for (const permission of newProjectTeamPermissions) await insertTeamPermission(tx, project.id, permission);
  await announceProjectChange(tx, project.id);
}

/** Changes settings; every process has them within a second. */
export async function updateProjectConfig(
  tx: Transaction,
  projectId: string,
  changes: Partial<ProjectConfig>,
): Promise<void> {
  await mergeProjectConfig(tx, projectId, changes);
  await announceProjectChange(tx, projectId);
}

async function loadProject(
  projectId: string,
  deps: { db: Database; secrets: Secrets },
): Promise<LoadedProject | undefined> {
  const [row, keys] = await Promise.all([selectProject(deps.db, projectId), selectUsableKeys(deps.db, projectId)]);
  if (row === undefined) return undefined;
  return {
    project: { id: row.id, displayName: row.displayName, config: projectConfig.parse(row.config) },
    signingKeys: signingKeys(deps.secrets, row.id, row.signingKeyGeneration),
    keys: new Map(keys.map(key => [keyName(key.kind, key.hash), key.expiresAtMillis])),
  };
}

function keyName(kind: KeyKind, hash: Buffer): string {
  return kind + hash.toString('base64');
}
