export { clusterExists, startEmbeddedPostgres } from '@tessera/embedded-postgres';
export { createApp } from './compose.ts';
export { type Deps, type DepsOptions, openDeps } from './deps.ts';
export { readSettings, type Settings, SettingsError } from './env.ts';
export { totpSecretPurpose } from './features/accounts/users/index.ts';
export { logAttempt } from './features/email/queue/attempts.ts';
export { imagesUrl } from './features/images/index.ts';
export { fitsSecretCheck, prepareInstallation } from './features/installation/index.ts';
export { providerTokenPurposes } from './features/oauth/connected-accounts/provider-tokens.ts';
export {
  addOwnedProjects,
  decryptClientSecret,
  decryptSmtpPassword,
  encryptClientSecret,
  encryptSmtpPassword,
} from './features/projects/index.ts';
export { makeSecret } from './features/webhooks/delivery/signature.ts';
export { decryptKeys, encryptKeys } from './features/webhooks/endpoints/secrets.ts';
export type { App } from './http/fetch-adapter.ts';
export type { ClientTimeouts } from './http/listener/listen.ts';
export {
  forgetPreviousSecret,
  installationSecret,
  previousInstallationSecret,
  readPreviousInstallationSecret,
  replaceInstallationSecret,
} from './platform/crypto/key-file.ts';
export { randomSecret } from './platform/crypto/random.ts';
export { createSecrets, type Secrets } from './platform/crypto/secrets.ts';
export { assertKeepsSession } from './platform/database/connections/pooler.ts';
export { applySettings, unlimitedSettings } from './platform/database/connections/session-settings.ts';
export type { Queryable, Transaction } from './platform/database/database.ts';
export { formatDistribution, planDistribution } from './platform/database/distribution/plan.ts';
export { migrate, pendingMigrations } from './platform/database/migration/migrate.ts';
export { notify } from './platform/database/notifications.ts';
export { createLog, type Log } from './platform/observability/log.ts';
export type { RunningServer } from './running-server.ts';
export { rotateSecret, type SecretRotationOutcome } from './secret-rotation/rotate-secret.ts';
export { type RunOptions, run } from './server.ts';
export { postgresUrlProblem } from './setting-values.ts';
