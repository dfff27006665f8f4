import { randomUUID } from 'node:crypto';
import { isTrustedUrl } from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type KeyFile,
  keepDamagedKeyFile,
  keyFilePath,
  readKeyFile,
  writeKeyFile,
} from '../../platform/crypto/key-file.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createProject } from '../permissions/index.ts';
import { type Projects, updateProject } from '../projects/index.ts';
import { createOwnerLink } from './first-owner.ts';
import { changedByServer, type EnsuredKeys, ensureInternalKeys, ensureKeys } from './keys.ts';
import { assertSecretFits } from './secret-check.ts';
import { usableSharedProviders } from './shared-providers.ts';
import { hasOAuthProviders, type Installation, lockInstallation, projectExists, setDemoProject } from './store.ts';

const internalProjectId = 'internal';
const demoName = 'Demo';

const internalConfig = { magicLinkEnabled: true, anonymousUsersEnabled: true };
/** The demo project has all features on. The mock provider replaces the shared providers; changes by an owner are kept. */
const demoConfig = {
  magicLinkEnabled: true,
  passkeyEnabled: true,
  clientTeamCreationEnabled: true,
  clientUserDeletionEnabled: true,
  allowUserApiKeys: true,
  allowTeamApiKeys: true,
  sharedServerSendsToUsers: true,
  // As a project in production, so that the first password of a new app owner shows what its users will see.
  refusesWeakPasswords: true,
  oauthProviders: ['github', 'google'].map(id => ({ id, type: 'shared' as const })),
};

interface InstallationDeps {
  readonly log: Log;
  readonly db: Database;
  readonly projects: Projects;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly settings: Pick<Settings, 'internal' | 'mode' | 'dataDir' | 'publicUrl' | 'oauthClients'>;
}

/** The values that the operator sees at the start. */
export interface Prepared {
  /** The path of the key file; undefined when no keys were generated. */
  readonly keyFile: string | undefined;
  /** The one-time link of the first owner, in production and wherever sign-up is off, until there is an owner. */
  readonly ownerLink: string | undefined;
}

/**
 * Creates project `internal` with its keys, and in development the project `Demo`, when they do not exist. Safe when
 * several processes start at once.
 *
 * @throws SettingsError when the database was encrypted under another secret
 */
export async function prepareInstallation(deps: InstallationDeps): Promise<Prepared> {
  return transaction(deps.db, async tx => {
    const installation = await lockInstallation(tx);
    await assertSecretFits(tx, installation.secretCheck, deps.secrets);
    const keyFile = await ensureProjects(tx, installation, deps);
    const { mode, internal } = deps.settings;
    const needsLink = installation.ownerUserId === null && (mode === 'production' || !internal.allowsSignUp);
    return { keyFile, ownerLink: needsLink ? await createOwnerLink(tx, deps) : undefined };
  });
}

/** @returns the path of the key file; undefined when there are no keys to write */
async function ensureProjects(
  tx: Transaction,
  { demoProjectId }: Installation,
  deps: InstallationDeps,
): Promise<string | undefined> {
  const { mode, dataDir, publicUrl: url } = deps.settings;
  // Read and written under the lock, so that only one of several starting processes generates the keys.
  const known = await readKeyFile(dataDir);
  await ensureInternalProject(tx, deps);
  const internal = await ensureInternalKeys(tx, known, deps);
  const demo = mode === 'development' ? await ensureDemo(tx, { demoProjectId, known }, deps) : undefined;
  const projects = { ...internal.keys, ...demo?.keys };
  const hasKeys = Object.keys(projects).length > 0;
  if (!hasKeys && known === undefined) return undefined;
  if (known === undefined) await keepDamaged(deps);
  const isStale = internal.isFileStale || demo?.isFileStale === true || known?.demo !== demo?.id || known?.url !== url;
  const content = { projects, ...(demo === undefined ? {} : { demo: demo.id }), internal: internalProjectId, url };
  if (isStale) await writeKeyFile(dataDir, content);
  return hasKeys ? keyFilePath(dataDir) : undefined;
}

async function keepDamaged({ settings, log }: InstallationDeps): Promise<void> {
  const file = await keepDamagedKeyFile(settings.dataDir);
  if (file === undefined) return;
  log.warn(
    { file },
    'the key file was damaged: it has another name now, and new keys were generated. The earlier keys stay valid until an owner revokes them.',
  );
}

/** Creates the project of the demo app and its keys, when they do not exist. */
async function ensureDemo(
  tx: Transaction,
  { demoProjectId, known }: { demoProjectId: string | null; known: KeyFile | undefined },
  deps: InstallationDeps,
): Promise<EnsuredKeys & { id: string }> {
  const id = await ensureDemoProject(tx, demoProjectId, deps);
  return { id, ...(await ensureKeys(tx, { projectId: id, displayName: demoName, known }, deps)) };
}

async function ensureInternalProject(tx: Transaction, deps: InstallationDeps): Promise<void> {
  const { displayName, allowsSignUp } = deps.settings.internal;
  const config = { signUpEnabled: allowsSignUp, ...(await selectInitialProviders(tx, deps.settings)) };
  const { publicUrl } = deps.settings;
  if (await projectExists(tx, internalProjectId)) {
    const change = (known: ProjectConfig) => ({
      displayName,
      config: { ...config, ...trustDashboard(known, publicUrl) },
    });
    await updateProject(tx, changedByServer(internalProjectId), change, deps);
    return;
  }
  const description = 'The users of this project own the other projects.';
  const trusted = trustDashboard({ allowLocalhost: true, domains: [] }, publicUrl);
  const settings = { displayName, description, config: { ...internalConfig, ...config, ...trusted } };
  await createProject(tx, { id: internalProjectId, ...settings, createdAtMillis: deps.clock.now() }, deps);
}

/** Adds the dashboard, where the owners sign in, to the trusted domains of `internal`. */
function trustDashboard(
  config: Pick<ProjectConfig, 'allowLocalhost' | 'domains'>,
  publicUrl: string,
): Partial<Pick<ProjectConfig, 'domains'>> {
  const handlerPath = '/dashboard/handler';
  if (isTrustedUrl(`${publicUrl}${handlerPath}`, config)) return {};
  return { domains: [...config.domains, { domain: publicUrl, handlerPath }] };
}

/** The shared providers of a new installation; in production only those with OAuth credentials in the environment. */
async function selectInitialProviders(tx: Transaction, settings: InstallationDeps['settings']) {
  if (await hasOAuthProviders(tx, internalProjectId)) return undefined;
  const usable = usableSharedProviders(settings);
  return usable.length === 0 ? undefined : { oauthProviders: usable.map(id => ({ id, type: 'shared' as const })) };
}

async function ensureDemoProject(tx: Transaction, known: string | null, deps: InstallationDeps): Promise<string> {
  if (known !== null && (await projectExists(tx, known))) return known;
  const id = randomUUID();
  const description = 'The project of the demo app that npm start brings up.';
  const settings = { displayName: demoName, description, config: demoConfig };
  await createProject(tx, { id, ...settings, createdAtMillis: deps.clock.now() }, deps);
  await setDemoProject(tx, id);
  return id;
}
