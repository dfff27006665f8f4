import { randomUUID } from 'node:crypto';
import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/db.ts';
import { type KeyFile, type ProjectKeys, readKeyFile, writeKeyFile } from '../../platform/key-file.ts';
import { randomSecret } from '../../platform/random.ts';
import { announceProjectChange, createProject, insertKeySet, revokeOtherKeySets } from '../projects/index.ts';
import type { OnUserCreated } from '../users/index.ts';
import {
  hasKeySet,
  lockInstallation,
  projectExists,
  setDemoProject,
  setOwner,
  updateInternalProject,
} from './store.ts';

const internalProjectId = 'internal';
const demoName = 'Demo';
/** Key sets of the installation do not run out while anybody can care. */
const keysLifetimeMs = 100 * 365 * 24 * 3600 * 1000;

const internalConfig = { magicLinkEnabled: true, anonymousUsersEnabled: true };
const demoConfig = { clientUserDeletionEnabled: true };

const noHash = Buffer.alloc(0);

interface InstallationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'internal' | 'mode' | 'dataDir' | 'publicUrl'>;
}

/**
 * Makes what a first start makes and a later one finds: project `internal` with its keys, and in development the
 * project `Demo`. Safe when several processes start at once.
 *
 * @returns where generated keys were written, when there are any
 */
export async function prepareInstallation(deps: InstallationDeps): Promise<{ keyFile: string | undefined }> {
  const { settings } = deps;
  const isDevelopment = settings.mode === 'development';
  return transaction(deps.db, async tx => {
    const { demoProjectId } = await lockInstallation(tx);
    // Read and written under the lock: of processes that start at the same time, one makes the keys.
    const known = await readKeyFile(settings.dataDir);
    await ensureInternalProject(tx, deps);
    const internal = await ensureInternalKeys(tx, known, deps);
    const demo = isDevelopment ? await ensureDemo(tx, { demoProjectId, known }, deps) : undefined;
    const projects = { ...internal.keys, ...demo?.keys };
    if (Object.keys(projects).length === 0) return { keyFile: undefined };
    const url = settings.publicUrl;
    const isNew = internal.isNew || demo?.isNew === true || known?.demo !== demo?.id || known?.url !== url;
    const content = { projects, ...(demo === undefined ? {} : { demo: demo.id }), internal: internalProjectId, url };
    return { keyFile: await writeKeyFile(settings.dataDir, content, isNew) };
  });
}

/** The project of the demo app, with keys. */
async function ensureDemo(
  tx: Transaction,
  { demoProjectId, known }: { demoProjectId: string | null; known: KeyFile | undefined },
  deps: InstallationDeps,
): Promise<EnsuredKeys & { id: string }> {
  const id = await ensureDemoProject(tx, demoProjectId, deps);
  return { id, ...(await ensureKeys(tx, id, demoName, known, deps)) };
}

/** The first user of `internal` who is somebody owns the installation: `internal` itself and `Demo` (decisions.md). */
export const ownInstallation: OnUserCreated = async (tx, { project, user }) => {
  if (project.id !== internalProjectId || user.isAnonymous) return;
  const { ownerUserId, demoProjectId } = await lockInstallation(tx);
  if (ownerUserId !== null) return;
  await setOwner(tx, user.id, [internalProjectId, ...(demoProjectId === null ? [] : [demoProjectId])]);
};

async function ensureInternalProject(tx: Transaction, { settings, clock }: InstallationDeps): Promise<void> {
  const { displayName, allowsSignUp } = settings.internal;
  const fromEnvironment = { displayName, config: { signUpEnabled: allowsSignUp } };
  if (await projectExists(tx, internalProjectId)) {
    if (await updateInternalProject(tx, fromEnvironment)) await announceProjectChange(tx, internalProjectId);
    return;
  }
  const config = { ...internalConfig, ...fromEnvironment.config };
  const description = 'The users of this project own the other projects.';
  await createProject(tx, { id: internalProjectId, displayName, description, config, createdAtMillis: clock.now() });
}

async function ensureDemoProject(tx: Transaction, known: string | null, { clock }: InstallationDeps): Promise<string> {
  if (known !== null && (await projectExists(tx, known))) return known;
  const id = randomUUID();
  const description = 'The project of the demo app that npm start brings up.';
  await createProject(tx, { id, displayName: demoName, description, config: demoConfig, createdAtMillis: clock.now() });
  await setDemoProject(tx, id);
  return id;
}

interface EnsuredKeys {
  /** Keys to be written to the key file, by project. */
  readonly keys: Record<string, ProjectKeys>;
  readonly isNew: boolean;
}

async function ensureInternalKeys(
  tx: Transaction,
  known: KeyFile | undefined,
  deps: InstallationDeps,
): Promise<EnsuredKeys> {
  const { publishableClientKey, secretServerKey, superSecretAdminKey, displayName } = deps.settings.internal;
  if (publishableClientKey === undefined || secretServerKey === undefined || superSecretAdminKey === undefined) {
    return ensureKeys(tx, internalProjectId, displayName, known, deps);
  }
  const keys = { publishableClientKey, secretServerKey, superSecretAdminKey };
  const nowMillis = deps.clock.now();
  if (!(await hasKeySet(tx, internalProjectId, keys, nowMillis))) {
    // None is kept: a set of which one key was replaced is another set, and its old key must end.
    await revokeOtherKeySets(tx, { projectId: internalProjectId, source: 'environment', keepHash: noHash, nowMillis });
    await insertKeys(tx, { projectId: internalProjectId, source: 'environment', keys }, deps);
  }
  await announceProjectChange(tx, internalProjectId);
  return { keys: {}, isNew: false };
}

/** The keys of the file where they fit the database, else a new set. */
async function ensureKeys(
  tx: Transaction,
  projectId: string,
  displayName: string,
  known: KeyFile | undefined,
  deps: InstallationDeps,
): Promise<EnsuredKeys> {
  const kept = known?.projects[projectId];
  if (kept !== undefined && (await hasKeySet(tx, projectId, kept, deps.clock.now()))) {
    return { keys: { [projectId]: kept }, isNew: false };
  }
  const keys = {
    publishableClientKey: `pck_${randomSecret()}`,
    secretServerKey: `ssk_${randomSecret()}`,
    superSecretAdminKey: `sak_${randomSecret()}`,
  };
  await insertKeys(tx, { projectId, source: 'generated', keys }, deps);
  await announceProjectChange(tx, projectId);
  return { keys: { [projectId]: { displayName, ...keys } }, isNew: true };
}

function insertKeys(
  tx: Transaction,
  set: { projectId: string; source: 'environment' | 'generated'; keys: Omit<ProjectKeys, 'displayName'> },
  { clock }: InstallationDeps,
): Promise<void> {
  const createdAtMillis = clock.now();
  const description = set.source === 'environment' ? 'From the environment' : 'Generated at the first start';
  return insertKeySet(tx, { ...set, description, createdAtMillis, expiresAtMillis: createdAtMillis + keysLifetimeMs });
}
